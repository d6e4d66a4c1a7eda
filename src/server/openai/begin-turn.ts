import type { GivenAnswer } from "../../library/continue-runs.ts";
import { findThread, nameThread } from "../../library/find-thread.ts";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import type { HistoryMessage } from "../../runtime/environment.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import type { Call } from "../api-route.ts";
import { readOwnRun, refuseGuarded } from "../own-runs.ts";
import { collectFiles } from "../read-files.ts";
import { refuseTooMany } from "../routes/start-run.ts";
import type { ServedCrew } from "../served-crews.ts";
import { allows } from "../token.ts";
import { frameInput, type Turn } from "./read-turn.ts";
import { cutAfterResponse, readResponseId, threadOfRun } from "./thread-of-run.ts";

/** The run that answers a request. */
export interface BegunTurn {
  readonly runId: RunId;
  /** The number of the first event that the request adds. */
  readonly fromSeq: number;
  /** Whether the run is nobody's any more when the caller goes away. */
  readonly isLoose: boolean;
  /** Whether the caller reads the answer while it is made. */
  readonly isStreamed: boolean;
}

/** How many paused runs are searched for the one whose prompt a message answers. */
const MAX_SEARCHED = 200;

type OpenAiCall = Call<unknown, unknown>;

/** Answers the run that waits for the message, or starts one. */
export async function beginTurn(call: OpenAiCall, served: ServedCrew, turn: Turn): Promise<BegunTurn> {
  await call.service.spending.check(call.token, Date.now());
  const user = turn.user !== undefined && allows(call.token, "act_as") ? turn.user : call.token.name;
  const { isStreamed } = turn;
  const isLoose = turn.conversation === undefined;
  if (turn.runId !== undefined) {
    const events = await readOwnRun(call, served, toRunId(turn.runId));
    return { ...(await resume(call, served, turn, events)), isLoose: isLoose && !hasConversation(events), isStreamed };
  }
  const waiting = await findWaiting(call, served, turn, user);
  if (waiting !== undefined) return { ...(await resume(call, served, turn, waiting)), isLoose, isStreamed };
  const { conversation } = turn;
  const crew = conversation === undefined ? served.crew : served.crew.conversation(conversation, { user });
  const history = conversation === undefined ? await readHistory(call, served, turn) : [];
  const traceparent = call.header("traceparent");
  const admitted = refuseTooMany(call);
  if (admitted !== undefined) await admitted;
  const attachments = takeFiles(call, served, turn);
  const text = frameInput(turn);
  const input = attachments === undefined ? text : { text, attachments };
  const { id } = await call.service.supervisor.start(crew, served.name, input, {
    user,
    by: call.token.name,
    ...(history.length > 0 && { history }),
    ...(traceparent !== undefined && { traceparent }),
  });
  call.about(id);
  return { runId: id, fromSeq: 0, isLoose, isStreamed };
}

function takeFiles(call: OpenAiCall, { crew }: ServedCrew, { files }: Turn): GivenAnswer["attachments"] {
  return collectFiles(files.length === 0 ? undefined : files, undefined, crew.definition, call.signal);
}

async function resume(
  call: OpenAiCall,
  served: ServedCrew,
  turn: Turn,
  events: readonly BatonEvent[],
): Promise<Pick<BegunTurn, "runId" | "fromSeq">> {
  const last = events.at(-1);
  const runId = toRunId(last?.runId ?? "");
  call.about(runId);
  if (last?.type !== "run.paused")
    throw new BatonError("not-paused", `run '${runId}' does not wait for an answer; leave out 'run_id'`);
  refuseGuarded(call, last.data);
  const { name: by } = call.token;
  const attachments = takeFiles(call, served, turn);
  const answer = { ...readTypedAnswer(turn.words, last.data), ...(attachments !== undefined && { attachments }) };
  await call.service.supervisor.resume(served.crew, runId, answer, { by });
  return { runId, fromSeq: events.length };
}

/** The events of the paused run that the message answers, if there is one. */
async function findWaiting(
  call: OpenAiCall,
  served: ServedCrew,
  turn: Turn,
  user: string,
): Promise<readonly BatonEvent[] | undefined> {
  const { store } = call.service;
  if (turn.conversation !== undefined) {
    const { last } = await findThread(store, nameThread(turn.conversation, served.name, user).key);
    return last?.events.at(-1)?.type === "run.paused" ? last.events : undefined;
  }
  if (turn.previous !== undefined) {
    const { runId, fromSeq } = readResponseId(turn.previous);
    const events = await readOwnRun(call, served, runId);
    // Only the newest pause waits; from an earlier one, the thread goes another way.
    const isNewest = cutAfterResponse(events, fromSeq).length === events.length;
    return isNewest && events.at(-1)?.type === "run.paused" ? events : undefined;
  }
  return findByHistory(call, served, turn, user);
}

/** A client that knows neither runs nor conversations sends the prompt back as the last message of the assistant. */
async function findByHistory(
  { service: { store }, token }: OpenAiCall,
  { name }: ServedCrew,
  { history }: Turn,
  user: string,
): Promise<readonly BatonEvent[] | undefined> {
  const prompt = history.at(-1);
  if (prompt?.role !== "assistant") return undefined;
  for (const { runId, events: count } of await store.list({
    crew: name,
    status: "paused",
    user,
    limit: MAX_SEARCHED,
  })) {
    const [last] = (await store.read(runId, count - 1)).slice(-1);
    if (last?.type !== "run.paused" || last.data.prompt.trim() !== prompt.text.trim()) continue;
    const events = await store.read(runId);
    const [started] = events;
    if (started?.type !== "run.started" || started.data.by !== token.name || hasConversation(events)) continue;
    if (isSameThread(threadOfRun(events), history)) return events;
  }
  return undefined;
}

/** Instructions stand before what the user said, and whoever answers does not know of them. */
function isSameThread(thread: readonly HistoryMessage[], history: readonly HistoryMessage[]): boolean {
  if (thread.length !== history.length) return false;
  return thread.every(({ role, text }, at) => {
    const other = history[at];
    if (other?.role !== role) return false;
    return (
      text.trim() === other.text.trim() || (role === "user" && text.endsWith(`\n</instructions>\n\n${other.text}`))
    );
  });
}

async function readHistory(call: OpenAiCall, served: ServedCrew, turn: Turn): Promise<readonly HistoryMessage[]> {
  if (turn.previous === undefined) return turn.history;
  const { runId, fromSeq } = readResponseId(turn.previous);
  const events = await readOwnRun(call, served, runId);
  return [...threadOfRun(cutAfterResponse(events, fromSeq)), ...turn.history];
}

function hasConversation([started]: readonly BatonEvent[]): boolean {
  return started?.type === "run.started" && started.data.session !== undefined;
}
