import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { beginChain, extendChain } from "./event-chain.ts";
import { parseRecord } from "./event-record.ts";
import { hashOfPiece, putTextsBack } from "./large-texts.ts";
import type { PostgresDatabase, PostgresRow } from "./postgres-database.ts";
import { explainPostgresDamage } from "./postgres-errors.ts";
import type { StoredRun } from "./store.ts";

/** The events of a run from some event on, as one statement saw them, and how the run stands. */
export interface EventsSeen {
  readonly events: readonly BatonEvent[];
  readonly status: StoredRun["status"] | undefined;
}

/** How many events one statement reads. */
const PAGE = 10_000;

/** Reads at most `limit` events of a run from `fromSeq` on, and checks each of them and that none is missing by the run's row. */
export async function readEvents(
  database: PostgresDatabase,
  runId: RunId,
  fromSeq: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<EventsSeen> {
  const { schema, query } = database;
  const events: BatonEvent[] = [];
  let status: EventsSeen["status"];
  let before: Verified = { seq: fromSeq, chain: undefined };
  for (;;) {
    const size = Math.min(PAGE, fromSeq + limit - before.seq);
    // The event before the first one has the checksum that the chain continues from.
    const rows = await query({
      name: `read ${schema}`,
      text: `SELECT r.number, r.status, r.events, r.chain AS last, e.seq, e.text, e.chain FROM ${schema}.runs r
        LEFT JOIN ${schema}.events e ON e.run = r.number AND e.seq >= $2 - 1 AND e.seq < $3
        WHERE r.run_id = $1 ORDER BY e.seq`,
      values: [runId, before.seq, before.seq + size],
    });
    const [first] = rows;
    if (first === undefined) return { events: [], status: undefined };
    status = (first["status"] ?? undefined) as EventsSeen["status"];
    const count = Number(first["events"]);
    if (before.seq > count) return { events, status };
    const links = rows.filter((row) => row["seq"] !== null);
    const page = await verify(database, runId, before, links, {
      size,
      count,
      last: Number(first["last"]),
      run: Number(first["number"]),
    });
    for (const event of page.events) events.push(event);
    before = page.verified;
    if (before.seq >= Math.min(count, fromSeq + limit)) return { events, status };
  }
}

interface Verified {
  /** The number of the next event. */
  readonly seq: number;
  /** The checksum of the events before it; undefined at the beginning of reading. */
  readonly chain: number | undefined;
}

interface RowOfRun {
  /** How many events were asked for. */
  readonly size: number;
  readonly run: number;
  readonly count: number;
  readonly last: number;
}

async function verify(
  database: PostgresDatabase,
  runId: RunId,
  before: Verified,
  links: readonly PostgresRow[],
  { run, count, last, size }: RowOfRun,
): Promise<{ readonly events: readonly BatonEvent[]; readonly verified: Verified }> {
  const broken = (seq: number, what: string) =>
    explainPostgresDamage(database.place, `event ${seq} of run '${runId}' ${what}, the ${seq} before it are intact`);
  const isAtStart = before.seq === 0;
  const [previous] = links;
  if (!isAtStart && Number(previous?.["seq"]) !== before.seq - 1) throw broken(before.seq - 1, "is missing");
  let chain = isAtStart ? beginChain(runId) : Number(previous?.["chain"]);
  if (before.chain !== undefined && before.chain !== chain)
    throw broken(before.seq - 1, "has changed while it was read");
  const added = links.slice(isAtStart ? 0 : 1);
  const findPiece = await readPieces(database, run, added);
  const events = added.map((row, index) => {
    const seq = before.seq + index;
    if (row["seq"] !== seq || seq >= count) throw broken(seq, "is missing or one too many");
    const text = String(row["text"]);
    chain = extendChain(chain, text);
    if (chain !== row["chain"]) throw broken(seq, "does not match its checksum");
    const event = parseRecord(text, runId, seq, (value) =>
      putTextsBack(value, (hash) => {
        const piece = findPiece(hash);
        if (piece === undefined) throw broken(seq, "has lost a part of its text");
        return piece;
      }),
    );
    if (typeof event === "string") throw broken(seq, event);
    return event;
  });
  const seq = before.seq + events.length;
  if (seq < count && events.length < size) throw broken(seq, "is missing");
  if (seq === count && chain !== last) throw broken(count - 1, "is not the last one that was written");
  return { events, verified: { seq, chain } };
}

/** The pieces of the large texts that these events refer to. */
async function readPieces(
  { schema, query }: PostgresDatabase,
  run: number,
  links: readonly PostgresRow[],
): Promise<(hash: string) => string | undefined> {
  // An event is an object, so a list always means that texts were taken out.
  if (!links.some(({ text }) => String(text).startsWith("["))) return () => undefined;
  const rows = await query({ text: `SELECT hash, text FROM ${schema}.texts WHERE run = $1`, values: [run] });
  const pieces = new Map(rows.map(({ hash, text }) => [String(hash), String(text)]));
  return (hash) => {
    const json = pieces.get(hash);
    return json !== undefined && hashOfPiece(json) === hash ? JSON.parse(json) : undefined;
  };
}
