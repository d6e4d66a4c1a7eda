import { type Message, Role, type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { RemoteReply } from "../tools/agent-function.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import type { RemoteIds } from "../vocabulary/remote.ts";
import { readRemoteMessage, readRemoteTask, refuseOther } from "./read-remote-task.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;
const CANCEL_MS = 2000;
const MAX_LISTED = 100;

/** What is said to a remote agent, once. */
export interface RemoteCall {
  readonly words: string;
  readonly ids: RemoteIds;
  /** More than 1 after a crash in the middle of the call: then nobody knows whether it was said. */
  readonly attempt: number;
  readonly signal: AbortSignal;
}

/** Says something to a remote agent, and waits until it has answered or asks. */
export async function callRemote(client: Client, call: RemoteCall): Promise<RemoteReply> {
  const { ids, signal } = call;
  const options = { signal };
  let task: Task | undefined;
  try {
    if (call.attempt > 1) {
      const found = await findTask(client, call);
      if (found instanceof RemoteReply) return found;
      task = found;
    }
    if (task === undefined) {
      const answer = await client.sendMessage(createRequest(call), options);
      if (!("artifacts" in answer)) return readRemoteMessage(answer, ids);
      task = answer;
    }
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
      refuseOther(task, { ...ids, taskId: ids.taskId ?? task.id });
      const reply = readRemoteTask(task);
      if (reply !== undefined) return reply;
      await wait(waitMs, signal);
      const { id } = task;
      task = await client.getTask({ tenant: "", id, historyLength: 1 }, options);
      refuseOther(task, { ...ids, taskId: id });
    }
  } catch (error) {
    if (signal.aborted && task !== undefined) await giveUp(client, task.id, signal.reason);
    throw error;
  }
}

/**
 * The task that was begun before a crash, by its context, since its id is the peer's; undefined if there is none, so that nothing was said. Where
 * the peer cannot say, somebody else must.
 */
async function findTask(client: Client, { ids, signal }: RemoteCall): Promise<Task | RemoteReply | undefined> {
  const { contextId, taskId } = ids;
  try {
    if (taskId !== undefined) {
      const known = await client.getTask({ tenant: "", id: taskId, historyLength: MAX_LISTED }, { signal });
      const isHeard = known.history.some(({ messageId }) => messageId === ids.messageId);
      return known.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && !isHeard ? undefined : known;
    }
    const { tasks } = await client.listTasks(
      {
        ...{ tenant: "", contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: "", pageSize: MAX_LISTED },
        ...{ includeArtifacts: true, statusTimestampAfter: undefined },
      },
      { signal },
    );
    const [found] = tasks.filter((task) => task.contextId === contextId);
    return found && (await client.getTask({ tenant: "", id: found.id, historyLength: 1 }, { signal }));
  } catch (error) {
    if (signal.aborted) throw error;
    return new RemoteReply({ type: "unclear", why: describeThrown(error) });
  }
}

function createRequest({ words, ids }: RemoteCall) {
  const message: Message = {
    messageId: ids.messageId,
    contextId: ids.contextId,
    taskId: ids.taskId ?? "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: words }, metadata: undefined, filename: "", mediaType: "text/plain" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const configuration = {
    acceptedOutputModes: ["text/plain", "application/json"],
    taskPushNotificationConfig: undefined,
    historyLength: 1,
    returnImmediately: true,
  };
  return { tenant: "", message, configuration, metadata: undefined };
}

/** A task that nobody waits for any more is cancelled, unless this process only leaves the run to another. */
async function giveUp(client: Client, id: string, reason: unknown): Promise<void> {
  const isLeft = reason instanceof Error && reason.message === "the run has left this process";
  if (isLeft) return;
  const signal = AbortSignal.timeout(CANCEL_MS);
  // Whether the peer obeys changes nothing: its answer is not awaited any more.
  await client.cancelTask({ tenant: "", id, metadata: undefined }, { signal }).catch(() => {});
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      signal.removeEventListener("abort", stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
