import { type Artifact, type Message, type Part, Role, type Task, TaskState, type TaskStatus } from "@a2a-js/sdk";
import { formatIsoTime } from "../../views/format-iso-time.ts";
import { isOwn, type RunResult, type RunStatus } from "../../views/run-result.ts";
import { type BatonEvent, type EventOf, nameSpeaker } from "../../vocabulary/events.ts";

/** How a run stands, in A2A's words. */
const states: Readonly<Record<RunStatus, TaskState>> = {
  queued: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  paused: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
};

/** At most so many messages of a task are sent, whatever the caller asks for. */
const MAX_HISTORY = 100;

/** What a task is called: its run, and the conversation that its run continues. */
export interface TaskIds {
  readonly id: string;
  readonly contextId: string;
}

export interface TaskView {
  readonly ids: TaskIds;
  readonly events: readonly BatonEvent[];
  readonly result: RunResult;
  /** Whether agents' words are told only once guards have seen the output. */
  readonly isHeld: boolean;
}

/** A run as a task. Without a `historyLength`, all messages are told, up to a bound. */
export function buildTask({ ids, events, result, isHeld }: TaskView, historyLength = MAX_HISTORY): Task {
  const length = Math.min(historyLength, MAX_HISTORY);
  const history = events.flatMap((event) => toMessage(event, ids, isHeld) ?? []);
  return {
    ...ids,
    status: buildStatus(events, result, ids),
    artifacts: listArtifacts(result),
    history: length === 0 ? [] : history.slice(-length),
    metadata: describeRun(result),
  };
}

/** What a Baton that calls us learns besides: above all what the run cost. */
export function describeRun({ runId, path, handoffs, cost, usage, stopReason, finalAgent }: RunResult) {
  return { baton: { runId, path, handoffs, cost, usage, finalAgent, ...(stopReason !== undefined && { stopReason }) } };
}

export function buildStatus(events: readonly BatonEvent[], result: RunResult, ids: TaskIds): TaskStatus {
  const last = events.at(-1);
  const paused = last?.type === "run.paused" ? toMessage(last, ids, false) : undefined;
  const failure =
    result.status === "failed" && last !== undefined
      ? createMessage(ids, last, [textPart(`${result.error.code}: ${result.error.message}`)])
      : undefined;
  const timestamp = last === undefined ? undefined : formatIsoTime(last.ts);
  return { state: states[result.status], message: paused ?? failure, timestamp };
}

/** The output, and its object if the answer is JSON. */
export function listArtifacts(result: RunResult): Artifact[] {
  const { status, output, object } = result;
  if (status !== "completed" || output === "") return [];
  const parts = [textPart(output), ...(object === undefined ? [] : [dataPart(object)])];
  return [{ artifactId: "output", name: "output", description: "", parts, metadata: undefined, extensions: [] }];
}

/** What an event says: the user's words, an agent's answer on the crew's line, a question. */
function toMessage(event: BatonEvent, ids: TaskIds, isHeld: boolean): Message | undefined {
  switch (event.type) {
    case "run.started":
      return createMessage(ids, event, [textPart(event.data.input)], Role.ROLE_USER);
    case "run.resumed":
      return createMessage(ids, event, [textPart(event.data.input ?? event.data.decision ?? "")], Role.ROLE_USER);
    case "agent.completed":
      return isHeld || !isOwn(event) ? undefined : sayAnswer(event, ids);
    case "run.paused": {
      const { agent, reason, prompt, options, tool, expiresAt } = event.data;
      const asked = { agent, reason, options, ...(tool && { tool }), ...(expiresAt && { expiresAt }) };
      return createMessage(ids, event, [textPart(prompt), dataPart({ baton: asked })]);
    }
    default:
      return undefined;
  }
}

/** An agent's answer as a message; undefined if it has no words. */
export function sayAnswer(event: EventOf<"agent.completed">, ids: TaskIds): Message | undefined {
  const { answer, shown = answer } = event.data;
  if (shown.trim() === "") return undefined;
  const message = createMessage(ids, event, [textPart(shown)]);
  return { ...message, metadata: { baton: { agent: nameSpeaker(event) } } };
}

function createMessage(ids: TaskIds, event: BatonEvent, parts: Part[], role = Role.ROLE_AGENT): Message {
  return {
    messageId: `${ids.id}:${event.seq}`,
    contextId: ids.contextId,
    taskId: ids.id,
    role,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}

function dataPart(value: unknown): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "application/json" };
}
