import { type Message, type Part, type Task, TaskState } from "@a2a-js/sdk";
import { RemoteReply } from "../tools/agent-function.ts";
import type { Usage } from "../vocabulary/bill.ts";
import type { PauseReason } from "../vocabulary/pause.ts";
import type { RemoteIds } from "../vocabulary/remote.ts";

const reasons: readonly PauseReason[] = [
  ...(["wait_for_signal", "signal", "gate", "external", "quota", "no_signal", "approval", "ambiguous"] as const),
];
const kinds = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "total"] as const;

/** Refuses a task that is not the one that was asked for: whoever answers with another task lies, or is confused. */
export function refuseOther(task: Task, { contextId, taskId }: RemoteIds): void {
  if (task.id === "") throw new Error("answered with a task that has no id");
  if (task.contextId !== contextId) throw new Error("answered for another context than it was asked in");
  if (taskId !== undefined && task.id !== taskId) throw new Error("answered with another task than it was asked for");
}

/** How a task stands: an answer, a question, or undefined while it is worked on. A task that failed throws. */
export function readRemoteTask(task: Task): RemoteReply | undefined {
  const { status } = task;
  const taskId = task.id;
  switch (status?.state) {
    case TaskState.TASK_STATE_COMPLETED:
      return new RemoteReply({ type: "answer", taskId, text: readOutput(task), ...readBill(task.metadata) });
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return new RemoteReply({ type: "asks", taskId, ...readQuestion(status.message) });
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      throw new Error("needs other credentials for its task");
    case TaskState.TASK_STATE_FAILED:
    case TaskState.TASK_STATE_REJECTED:
    case TaskState.TASK_STATE_CANCELED:
      throw new Error(`did not do its task: ${readText(status.message?.parts) || TaskState[status.state]}`);
    default:
      return undefined;
  }
}

/** A peer may answer at once, without a task. */
export function readRemoteMessage(message: Message, { contextId }: RemoteIds): RemoteReply {
  if (message.contextId !== "" && message.contextId !== contextId)
    throw new Error("answered for another context than it was asked in");
  return new RemoteReply({ type: "answer", text: readText(message.parts), ...readBill(message.metadata) });
}

function readOutput({ artifacts, status, history }: Task): string {
  const output = artifacts.map(({ parts }) => readText(parts)).filter((text) => text !== "");
  if (output.length > 0) return output.join("\n\n");
  return readText(status?.message?.parts) || readText(history.at(-1)?.parts);
}

/** Text, or else data as JSON: a peer that gives both says the same twice. */
function readText(parts: readonly Part[] = []): string {
  const texts = parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []));
  if (texts.length > 0) return texts.join("\n\n");
  return parts
    .flatMap(({ content }) => (content?.$case === "data" ? [JSON.stringify(content.value)] : []))
    .join("\n\n");
}

/** A Baton says why it asks and which answers fit. A question of any other peer takes words. */
function readQuestion(message: Message | undefined) {
  const told = message?.parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  const baton = readRecord(readRecord(told?.[0])["baton"]);
  const reason = reasons.find((each) => each === baton["reason"]) ?? "wait_for_signal";
  const given = baton["options"];
  const options = Array.isArray(given) ? given.filter((each) => typeof each === "string") : [];
  return { reason, prompt: readText(message?.parts), options: options.length === 0 ? ["input"] : options };
}

/** What a Baton tells of its cost. Anything but an amount counts as untold. */
function readBill(metadata: unknown): { readonly usage?: Usage; readonly costUsd?: number } {
  const baton = readRecord(readRecord(metadata)["baton"]);
  const { usd } = readRecord(baton["cost"]);
  const told = readRecord(baton["usage"]);
  const isCounted = kinds.every((kind) => isAmount(told[kind]));
  return {
    ...(isAmount(usd) && { costUsd: usd }),
    ...(isCounted && { usage: Object.fromEntries(kinds.map((kind) => [kind, told[kind]])) as unknown as Usage }),
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
