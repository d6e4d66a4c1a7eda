import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import { type RunId, toRunId } from "../vocabulary/ids.ts";

/** What a store keeps of a conversation: its newest run, and the one before that. All else is in the runs. */
export interface Thread {
  /** Of the document, which each new run replaces; 0 where there is none. */
  readonly version: number;
  /** The newest run that has begun. */
  readonly last: ThreadRun | undefined;
  /** A run that has taken its place and not begun: it is about to, or never will. */
  readonly pending: RunId | undefined;
}

export interface ThreadRun {
  readonly runId: RunId;
  readonly events: readonly BatonEvent[];
  readonly started: EventData["run.started"];
}

/** The kind of document that conversations are stored as. Stores that exist have it, so the name stays. */
export const SESSION = "session";

export function checkConversationId(id: string): void {
  if (typeof id === "string" && /^[A-Za-z0-9._-]{1,128}$/.test(id)) return;
  const rule = "1 to 128 of the letters a to z and A to Z, digits, '-', '_' and '.'";
  throw new BatonError("bad-session", `${JSON.stringify(id)} cannot be the id of a conversation: it has ${rule}`);
}

/** A conversation: its id for people, and the key of its document. */
export interface ThreadName {
  readonly id: string;
  readonly key: string;
}

/** Names the conversation of a user with a crew, so that the same id of others is another one; without a user, everybody shares it. */
export function nameThread(id: string, crew: string, user: string | undefined): ThreadName {
  if (user === undefined) return { id, key: id };
  // Ids have no '/', so no shared conversation has such a key.
  return { id, key: [crew, user, id].map((part) => encodeURIComponent(part.toWellFormed())).join("/") };
}

/** Finds a conversation by the key of its document. */
export async function findThread(store: Pick<Store, "get" | "read">, key: string): Promise<Thread> {
  const found = await store.get(SESSION, key);
  if (found === undefined) return { version: 0, last: undefined, pending: undefined };
  // Nobody but nextPlace writes documents of this kind.
  const { run, before } = found.value as { readonly run: string; readonly before?: string };
  const { version } = found;
  const newest = await readRun(store, run);
  if (newest !== undefined) return { version, last: newest, pending: undefined };
  return { version, last: before === undefined ? undefined : await readRun(store, before), pending: toRunId(run) };
}

/** The runs of a conversation, the newest first; each names the one before it. */
export async function* threadRuns(store: Pick<Store, "get" | "read">, key: string): AsyncGenerator<ThreadRun> {
  let { last: run } = await findThread(store, key);
  while (run !== undefined) {
    yield run;
    const { previous } = run.started.session ?? {};
    run = previous === undefined ? undefined : await readRun(store, previous);
  }
}

async function readRun(store: Pick<Store, "read">, id: string): Promise<ThreadRun | undefined> {
  const runId = toRunId(id);
  const events = await store.read(runId);
  const [started] = events;
  return started?.type === "run.started" ? { runId, events, started: started.data } : undefined;
}
