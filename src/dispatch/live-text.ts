import type { PostgresDatabase } from "../journal/postgres-database.ts";
import type { BatonEvent } from "../vocabulary/events.ts";

/** Passes text on to readers in other processes while it is written. None of it is stored, and some of it may be lost. */
export interface LiveText {
  /** Takes an event of a run of this process; all but deltas are left out. */
  send(event: BatonEvent): void;
  stop(): void;
}

/** Deltas wait this long for others, so that few notices are sent: PostgreSQL commits them one after the other. */
const COALESCE_MS = 25;
/** PostgreSQL takes up to 8000 bytes in a notice. */
const NOTICE_BYTES = 7700;
/** Longer deltas are cut, and those of a turn that cannot be told in time are dropped. */
const DELTA_CHARS = 1200;
const SEND_TIMEOUT_MS = 1000;

type Delta = Extract<BatonEvent, { readonly type: "text.delta" | "reasoning.delta" }>;

/** Sends deltas. */
export function createLiveText(database: PostgresDatabase): LiveText {
  const channel = nameChannel(database);
  let waiting: Delta[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  const flush = () => {
    timer = undefined;
    // PostgreSQL tells notices once that are alike, so each has a number.
    const notices = packNotices(waiting).map((notice) => `${sent++} ${notice}`);
    waiting = [];
    const send = { text: "SELECT pg_notify($1, each) FROM unnest($2::text[]) AS each", values: [channel, notices] };
    // Whoever misses them has the whole text when the answer is stored.
    database.queryOnce(send, SEND_TIMEOUT_MS).catch(() => {});
  };
  return {
    send(event) {
      if (event.type !== "text.delta" && event.type !== "reasoning.delta") return;
      addDelta(waiting, event);
      timer ??= setTimeout(flush, COALESCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Calls back with the deltas of other processes, until the returned function is called. */
export function followLiveText(database: PostgresDatabase, onDelta: (event: BatonEvent) => void): () => void {
  return database.listen(nameChannel(database), {
    onNotice(payload) {
      // Only this file sends on the channel.
      for (const event of JSON.parse(payload.slice(payload.indexOf(" "))) as readonly Delta[]) onDelta(event);
    },
    onChange: () => {},
  });
}

function nameChannel({ schemaName }: PostgresDatabase): string {
  return `baton-text:${schemaName}`;
}

/** What follows the last delta of the same speaker becomes part of it. */
function addDelta(waiting: Delta[], event: Delta): void {
  const last = waiting.at(-1);
  const { text } = event.data;
  const follows =
    last?.runId === event.runId && last.type === event.type && last.path === event.path && last.agent === event.agent;
  if (last !== undefined && follows && last.data.text.length + text.length <= DELTA_CHARS)
    waiting[waiting.length - 1] = { ...last, data: { ...last.data, text: last.data.text + text } };
  else
    for (let at = 0; at === 0 || at < text.length; at += DELTA_CHARS)
      waiting.push({ ...event, data: { ...event.data, text: text.slice(at, at + DELTA_CHARS) } });
}

/** Lists of deltas, each as JSON of no more bytes than a notice may have. */
function packNotices(deltas: readonly Delta[]): string[] {
  const notices: string[] = [];
  let packed: string[] = [];
  let bytes = 2;
  for (const delta of deltas) {
    const text = JSON.stringify(delta);
    const size = Buffer.byteLength(text) + 1;
    if (size > NOTICE_BYTES) continue;
    if (bytes + size > NOTICE_BYTES) {
      notices.push(`[${packed.join(",")}]`);
      packed = [];
      bytes = 2;
    }
    packed.push(text);
    bytes += size;
  }
  if (packed.length > 0) notices.push(`[${packed.join(",")}]`);
  return notices;
}
