import type { Store } from "../journal/store.ts";
import { trimSaid } from "../runtime/trim-said.ts";
import { buildExchange } from "../views/exchange.ts";
import { listAttachments } from "../views/list-attachments.ts";
import { type Attachment, findReferences, nameReference } from "../vocabulary/attachment.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { ConversationStart, Said } from "../vocabulary/run-start.ts";
import { findThread, SESSION, type Thread, type ThreadName, type ThreadRun } from "./find-thread.ts";

/** Long enough to be given back. */
const FENCE_MS = 1000;

/** The next place in a conversation, for a run to take. */
export interface Place {
  readonly start: ConversationStart;
  /** Takes it for a run that is held already: of several who come at once, all but one are refused. */
  take(runId: RunId): Promise<void>;
}

/** Finds the next place in a conversation; refused while a run of the conversation is under way, waits for an answer or was interrupted. */
export async function nextPlace(store: Store, name: ThreadName, crew: Crew): Promise<Place> {
  const { id, key } = name;
  const { version, last } = await settledThread(store, name);
  const take = async (runId: RunId) => {
    const before = last === undefined ? {} : { before: last.runId };
    if (await store.put(SESSION, key, { run: runId, ...before }, version)) return;
    const other = await findThread(store, key);
    throw active(id, other.pending ?? other.last?.runId);
  };
  return { start: startOn(id, last, crew), take };
}

/** The conversation with nothing under way in it. What is seen may be over by the time it is looked at: then it is seen again. */
async function settledThread(store: Store, name: ThreadName): Promise<Thread> {
  const { id, key } = name;
  const thread = await findThread(store, key);
  const { last, pending } = thread;
  if (pending !== undefined) {
    await giveUp(store, id, pending);
    // Its process may have begun it, and even ended it, before it was given up.
    return (await store.read(pending)).length === 0 ? thread : settledThread(store, name);
  }
  return last === undefined || (await hasEnded(store, id, last)) ? thread : settledThread(store, name);
}

/** Makes sure that a run which has not begun never will: its process has died, or could not begin it. */
async function giveUp(store: Store, id: string, pending: RunId): Promise<void> {
  try {
    await store.release(await store.take(pending, `${id}.${crypto.randomUUID()}`, FENCE_MS));
  } catch (error) {
    throw error instanceof BatonError && error.code === "run-owned" ? active(id, pending) : error;
  }
}

/** Whether a run has ended as far as was seen; refused where it has not, false where that was a moment ago. */
async function hasEnded(store: Store, id: string, { runId, events }: ThreadRun): Promise<boolean> {
  const { status, paused } = buildExchange(events).result;
  if (status !== "running" && status !== "paused" && status !== "queued") return true;
  const found = (await store.list({ status })).find((run) => run.runId === runId);
  if (found === undefined) return false;
  if (found.isOwned || status === "queued") throw active(id, runId);
  const orEnd = `or end it with baton cancel ${runId}`;
  if (status === "running") {
    const message = `run '${runId}' of conversation '${id}' was interrupted: its process died`;
    throw new BatonError("conversation-interrupted", `${message}; continue it with baton resume ${runId}, ${orEnd}`);
  }
  const message = `run '${runId}' of conversation '${id}' is paused: ${paused?.agent} waits for an answer`;
  throw new BatonError("conversation-paused", `${message}; give it with baton resume ${runId}, ${orEnd}`);
}

function startOn(id: string, last: Thread["last"], crew: Crew): ConversationStart {
  if (last === undefined) return { id, n: 1, said: [] };
  const { crew: owner, session } = last.started;
  if (owner !== crew.name)
    throw new BatonError("other-crew", `conversation '${id}' belongs to crew '${owner}', not to '${crew.name}'`);
  const exchange = buildExchange(last.events);
  const { holder = session?.holder } = exchange;
  const carried = trimSaid([...(session?.said ?? []), ...exchange.said], session?.trimmed ?? 0, crew);
  const attachments = listReferred(carried.said, last.events);
  const isThere = holder !== undefined && crew.agents.has(holder.agent);
  return {
    id,
    n: (session?.n ?? 0) + 1,
    previous: last.runId,
    ...(isThere && { holder }),
    ...(holder !== undefined && !isThere && { gone: holder.agent }),
    ...carried,
    ...(attachments.length > 0 && { attachments }),
  };
}

/** The files that the messages still refer to. */
function listReferred(said: readonly Said[], events: readonly BatonEvent[]): readonly Attachment[] {
  const known = listAttachments(events);
  if (known.length === 0) return known;
  const names = new Set(said.flatMap(({ text }) => findReferences(text)));
  return known.filter((each) => names.has(nameReference(each)));
}

function active(id: string, runId: RunId | undefined): BatonError {
  const run = runId === undefined ? "a run" : `run '${runId}'`;
  const message = `${run} of conversation '${id}' is going on: wait for its end, or cancel it`;
  return new BatonError("conversation-active", `${message}; if its process has died, that is known within 10 s`);
}
