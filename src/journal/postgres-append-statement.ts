import type { Entry } from "./postgres-append-plan.ts";
import type { PostgresRow, Statement } from "./postgres-database.ts";
import { insertHandoffs, listHandoffRows } from "./postgres-handoffs.ts";
import { NOW } from "./postgres-runs.ts";

/** The numbers of the runs that were written, and those of them that readers in other processes follow. */
export interface Written {
  readonly numbers: ReadonlySet<number>;
  readonly followed: readonly number[];
}

/** JSON has no line breaks of its own, so many events are one text of lines, which nobody has to escape. */
const LINES = String.raw`E'\n'`;

/**
 * One statement that appends to many runs. A run's row is replaced only where it still has the epoch, the owner, the number of events
 * and the checksum that were decided on; its events, texts and handoffs are stored only where it was. So an owner who lost the run is
 * fenced off in the statement itself, no number is left out or used twice, and a run that is refused leaves the others alone.
 */
export function buildAppend(schema: string, entries: readonly Entry[], clock: number | null): Statement {
  const alone = buildAppendAlone(schema, entries, clock);
  if (alone !== undefined) return alone;
  const events = entries.flatMap(({ before, links }) =>
    links.map((link, index) => ({ ...link, run: before.number, seq: before.events + index })),
  );
  const pieces = events.flatMap(({ run, pieces: cut }) => cut.map((piece) => ({ ...piece, run })));
  const handoffs = entries.flatMap((entry) => listHandoffRows(entry.before.number, entry.handoffs));
  const begins = entries.some(({ before }) => before.events === 0);
  const first = <Value>(read: (entry: Entry) => Value) =>
    entries.map((entry) => (entry.before.events === 0 ? (read(entry) ?? null) : null));
  const values: unknown[] = [
    clock,
    entries.map(({ before }) => before.number),
    entries.map(({ before }) => before.epoch),
    entries.map(({ before }) => before.owner),
    entries.map(({ before }) => before.events),
    entries.map(({ before }) => before.chain),
    entries.map(({ after }) => after.events),
    entries.map(({ after }) => after.chain),
    entries.map(({ after }) => after.status),
    entries.map(({ after }) => after.updatedAt),
    events.map(({ run }) => run),
    events.map(({ seq }) => seq),
    events.map(({ text }) => text).join("\n"),
    events.map(({ chain }) => chain),
  ];
  const given = (...more: readonly unknown[]) => more.map((value) => `$${values.push(value)}`);
  const beginning = begins
    ? given(
        first(({ after }) => after.crew),
        first(({ after }) => after.input),
        first(({ after }) => after.startedAt),
        first(({ after }) => after.user),
        first(({ after }) => after.conversation),
      )
    : [];
  const texts =
    pieces.length === 0
      ? []
      : given(
          pieces.map(({ run }) => run),
          pieces.map(({ hash }) => hash),
          pieces.map(({ json }) => json).join("\n"),
        );
  const learned = handoffs.length === 0 ? [] : given(JSON.stringify(handoffs));
  const parts = [begins && "begin", texts.length > 0 && "texts", learned.length > 0 && "handoffs"].filter(Boolean);
  return {
    name: ["append", ...parts, schema].join(" "),
    text: `${hold(schema, beginning)}${addEvents(schema)}${addTexts(schema, texts)}${addHandoffs(schema, learned)}
      SELECT number, is_followed FROM held`,
    values,
  };
}

/** The same for a single event of a single run, without lists: a run that goes on by itself appends in this way nearly always. */
function buildAppendAlone(schema: string, entries: readonly Entry[], clock: number | null): Statement | undefined {
  const [entry, ...others] = entries;
  const [link, ...more] = entry?.links ?? [];
  if (entry === undefined || link === undefined || others.length + more.length + entry.handoffs.length > 0)
    return undefined;
  const { before, after } = entry;
  if (before.events === 0 || link.pieces.length > 0) return undefined;
  return {
    name: `append alone ${schema}`,
    text: `WITH held AS (UPDATE ${schema}.runs SET events = $5::integer + 1, chain = $6, status = $7, updated_at = $8
        WHERE number = $2 AND epoch = $3 AND owner = $4 AND events = $5 AND chain = $9
        RETURNING number, followed_until > ${NOW} AS is_followed),
      added AS (INSERT INTO ${schema}.events (run, seq, text, chain) SELECT number, $5, $10, $6 FROM held)
      SELECT number, is_followed FROM held`,
    values: [
      ...[clock, before.number, before.epoch, before.owner, before.events, link.chain, after.status, after.updatedAt],
      ...[before.chain, link.text],
    ],
  };
}

export function readWritten(rows: readonly PostgresRow[]): Written {
  return {
    numbers: new Set(rows.map((row) => Number(row["number"]))),
    followed: rows.flatMap((row) => (row["is_followed"] === true ? [Number(row["number"])] : [])),
  };
}

/** What a run's row takes from its first event, with the types of the columns. */
const BEGINNING = [
  ["crew", "text"],
  ["input", "text"],
  ["started_at", "float8"],
  [`"user"`, "text"],
  ["conversation", "text"],
] as const;

function hold(schema: string, beginning: readonly string[]): string {
  const given = beginning.length === 0 ? [] : BEGINNING;
  const arrays = given.map(([, type], index) => `, ${beginning[index]}::${type}[]`).join("");
  const names = given.map(([name]) => `, ${name}`).join("");
  const columns = given.map(([name]) => `, ${name} = coalesce(g.${name}, r.${name})`).join("");
  return `WITH held AS (UPDATE ${schema}.runs r
      SET events = g.events, chain = g.chain, status = g.status, updated_at = g.updated_at${columns}
      FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::integer[], $6::bigint[], $7::integer[], $8::bigint[], $9::text[],
        $10::float8[]${arrays}) AS g(number, epoch, owner, events_before, chain_before, events, chain, status, updated_at${names})
      WHERE r.number = g.number AND r.epoch = g.epoch AND r.owner = g.owner AND r.events = g.events_before
        AND r.chain = g.chain_before
      RETURNING r.number, r.followed_until > ${NOW} AS is_followed)`;
}

function addEvents(schema: string): string {
  return `, added AS (INSERT INTO ${schema}.events (run, seq, text, chain)
      SELECT e.run, e.seq, e.text, e.chain
      FROM ROWS FROM (unnest($11::bigint[]), unnest($12::integer[]), unnest(string_to_array($13, ${LINES})), unnest($14::bigint[]))
        AS e(run, seq, text, chain) JOIN held ON held.number = e.run)`;
}

function addTexts(schema: string, [run, hash, text]: readonly string[]): string {
  if (run === undefined || hash === undefined || text === undefined) return "";
  return `, stored AS (INSERT INTO ${schema}.texts (run, hash, text) SELECT t.run, t.hash, t.text
      FROM ROWS FROM (unnest(${run}::bigint[]), unnest(${hash}::text[]), unnest(string_to_array(${text}, ${LINES})))
        AS t(run, hash, text) JOIN held ON held.number = t.run ON CONFLICT DO NOTHING)`;
}

function addHandoffs(schema: string, [json]: readonly string[]): string {
  return json === undefined ? "" : `, learned AS (${insertHandoffs(schema, json, "held")})`;
}
