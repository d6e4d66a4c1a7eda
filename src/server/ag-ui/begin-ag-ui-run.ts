import type { ResumeEntry, RunAgentInput } from "@ag-ui/core";
import { findThread, nameThread } from "../../library/find-thread.ts";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { RunId } from "../../vocabulary/ids.ts";
import type { ResumeAnswer } from "../../vocabulary/pause.ts";
import type { Call } from "../api-route.ts";
import { nameConversation } from "../name-conversation.ts";
import { frameInput } from "../openai/read-turn.ts";
import { readOwnRun, refuseGuarded } from "../own-runs.ts";
import { Refusal } from "../problem.ts";
import { refuseTooMany } from "../routes/start-run.ts";
import type { ServedCrew } from "../served-crews.ts";
import { readInterruptId, readResumeEntry } from "./interrupts.ts";
import { readInput } from "./read-input.ts";

export type AgUiCall = Call<unknown, RunAgentInput>;

/** The part of a run that a request asks for. */
export interface BegunPart {
  readonly runId: RunId;
  /** What happened before this part. */
  readonly before: readonly BatonEvent[];
  readonly ignored: readonly string[];
}

/** Answers the interrupts of a paused run, or gives its thread a new message. */
export async function beginAgUiRun(call: AgUiCall, served: ServedCrew): Promise<BegunPart> {
  const { service, token, body } = call;
  await service.spending.check(token, Date.now());
  const said = readInput(body);
  const { ignored } = said;
  if (body.resume !== undefined && body.resume.length > 0)
    return { ...(await answerInterrupt(call, served, body.resume)), ignored };
  const { words } = said;
  if (words === undefined)
    throw new Refusal("bad-request", "the last message must be the user's, and have words; or send 'resume'");
  const conversation = nameConversation(body.threadId);
  const waiting = await findPaused(call, served, conversation);
  if (waiting !== undefined) return { ...(await answerWith(call, served, waiting, words)), ignored };
  const { name: user } = token;
  const crew = served.crew.conversation(conversation, { user, history: said.history });
  const traceparent = call.header("traceparent");
  const admitted = refuseTooMany(call);
  if (admitted !== undefined) await admitted;
  const input = frameInput({ instructions: said.instructions, words });
  const options = { user, by: user, ...(traceparent !== undefined && { traceparent }) };
  const { id } = await service.supervisor.start(crew, served.name, input, options);
  call.about(id);
  return { runId: id, before: [], ignored };
}

type Continued = Pick<BegunPart, "runId" | "before">;

async function answerInterrupt(
  call: AgUiCall,
  served: ServedCrew,
  entries: readonly ResumeEntry[],
): Promise<Continued> {
  const [entry, ...others] = entries;
  if (entry === undefined || others.length > 0)
    throw new Refusal("bad-request", "a run asks one question at a time: 'resume' has one entry");
  const { runId, seq } = readInterruptId(entry.interruptId);
  const before = await readOwnRun(call, served, runId);
  call.about(runId);
  const asked = before[seq];
  const { session } = before[0]?.type === "run.started" ? before[0].data : {};
  if (asked?.type !== "run.paused" || session?.id !== nameConversation(call.body.threadId))
    throw new Refusal("bad-request", `thread '${call.body.threadId}' has no interrupt '${entry.interruptId}'`);
  const isDismissed = entry.status === "cancelled";
  // A question that nobody answered in time, or that was answered elsewhere, can still be dismissed.
  if (before.at(-1) !== asked && !isDismissed)
    throw new BatonError("not-paused", `run '${runId}' does not wait for an answer to this interrupt any more`);
  if (before.at(-1) !== asked) return { runId, before: before.slice(0, -1) };
  const answer = readResumeEntry(entry, asked.data);
  if (answer === "cancel") await call.service.supervisor.cancel(served.crew, runId, false);
  else await resume(call, served, before, answer);
  return { runId, before };
}

/** A page that knows no interrupts sends the next message, which is the answer if words are asked for. */
async function answerWith(
  call: AgUiCall,
  served: ServedCrew,
  before: readonly BatonEvent[],
  words: string,
): Promise<Continued> {
  const last = before.at(-1);
  if (last?.type !== "run.paused") throw new Error("a run that waits ends with its pause");
  const isOpen = last.data.options.includes("input") || last.data.options.includes("external");
  // Words that approve nothing must not go lost: the page is told once more what is asked.
  if (isOpen) await resume(call, served, before, readTypedAnswer(words, last.data));
  call.about(last.runId);
  return { runId: last.runId, before: isOpen ? before : before.slice(0, -1) };
}

async function resume(
  call: AgUiCall,
  { crew }: ServedCrew,
  before: readonly BatonEvent[],
  answer: ResumeAnswer,
): Promise<void> {
  const last = before.at(-1);
  if (last?.type !== "run.paused") throw new Error("only a paused run is resumed");
  refuseGuarded(call, last.data);
  const options = { by: call.token.name, traceparent: call.header("traceparent") };
  await call.service.supervisor.resume(crew, last.runId, answer, options);
}

async function findPaused(
  { service: { store }, token }: AgUiCall,
  served: ServedCrew,
  conversation: string,
): Promise<readonly BatonEvent[] | undefined> {
  const { last } = await findThread(store, nameThread(conversation, served.name, token.name).key);
  return last?.events.at(-1)?.type === "run.paused" ? last.events : undefined;
}
