import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import {
  ExtendedAgentCardNotConfiguredError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import type { Call } from "../api-route.ts";
import { isHeld } from "../held-words.ts";
import { nameConversation } from "../name-conversation.ts";
import { readOwnRun, refuseGuarded } from "../own-runs.ts";
import { Refusal } from "../problem.ts";
import { refuseTooMany } from "../routes/start-run.ts";
import { isAtRest } from "../run-standing.ts";
import type { ServedCrew } from "../served-crews.ts";
import { allows } from "../token.ts";
import { readResult } from "../visible.ts";
import { buildCard } from "./agent-card.ts";
import { followTask } from "./follow-task.ts";
import { listTasks } from "./list-tasks.ts";
import { dropPushConfig, findPushConfig, listPushConfigs, savePushConfig } from "./push-configs.ts";
import { readAnswer, readMessage } from "./read-message.ts";
import { buildTask, type TaskIds } from "./task-of-run.ts";
import { TaskUpdates } from "./task-updates.ts";

interface OwnTask {
  readonly ids: TaskIds;
  readonly runId: RunId;
  readonly events: readonly BatonEvent[];
}

/** A2A's requests over the journal: a task is a run, so whatever server has the store knows every task. */
export class CrewRequestHandler implements A2ARequestHandler {
  readonly #call: Call<unknown, unknown>;
  readonly #served: ServedCrew;
  readonly #isHeld: boolean;

  constructor(call: Call<unknown, unknown>, served: ServedCrew) {
    this.#call = call;
    this.#served = served;
    this.#isHeld = isHeld(served.crew.definition);
  }

  async getAgentCard(): Promise<AgentCard> {
    return buildCard(this.#served.crew.definition, this.#call.address);
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    throw new ExtendedAgentCardNotConfiguredError("a crew has one card");
  }

  async sendMessage(request: SendMessageRequest): Promise<Task> {
    const { ids, runId, events } = await this.#accept(request);
    const { returnImmediately = false, historyLength } = request.configuration ?? {};
    if (!returnImmediately)
      for await (const event of followTask(this.#call.service, runId, events.length, this.#call.signal)) void event;
    return this.#describe({ ids, runId, events: await this.#call.service.store.read(runId) }, historyLength);
  }

  async *sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.#accept(request);
    yield* this.#follow(task, task.events, request.configuration?.historyLength);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.#find(id);
    const last = task.events.at(-1);
    if (last !== undefined && isAtRest(last) && last.type !== "run.paused")
      throw new UnsupportedOperationError(`task '${id}' has ended: nothing more comes`);
    yield* this.#follow(task, task.events);
  }

  async getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#describe(await this.#find(id), historyLength);
  }

  async listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    this.#require("read");
    const { service, token } = this.#call;
    const describe = async (runId: RunId, historyLength: number | undefined) =>
      this.#describe(await this.#find(runId), historyLength);
    return listTasks(request, { store: service.store, crew: this.#served.name, user: token.name, describe });
  }

  async cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    this.#require("run");
    const { runId, events } = await this.#find(id);
    const last = events.at(-1);
    if (last !== undefined && isAtRest(last) && last.type !== "run.paused")
      throw new TaskNotCancelableError(`task '${id}' has ended`);
    await this.#call.service.supervisor.cancel(this.#served.crew, runId, false);
    return this.#describe(await this.#find(id), undefined);
  }

  async createTaskPushNotificationConfig(config: TaskPushNotificationConfig): Promise<TaskPushNotificationConfig> {
    this.#require("run");
    const { runId, events } = await this.#find(config.taskId);
    return savePushConfig(this.#call.service, { ...config, taskId: runId }, events.length);
  }

  async getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    const { runId } = await this.#find(taskId);
    const config = await findPushConfig(this.#call.service.store, runId, id);
    if (config === undefined) throw new TaskNotFoundError(`task '${taskId}' has no push notification config '${id}'`);
    return config;
  }

  async listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    const { runId } = await this.#find(taskId);
    return { configs: [...(await listPushConfigs(this.#call.service.store, runId))], nextPageToken: "" };
  }

  async deleteTaskPushNotificationConfig({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    this.#require("run");
    const { runId } = await this.#find(taskId);
    await dropPushConfig(this.#call.service.store, runId, id);
  }

  /** Answers the task that the message names, or starts one. What happened before is what the caller knows. */
  async #accept(request: SendMessageRequest): Promise<OwnTask> {
    this.#require("run");
    const message = readMessage(request);
    const push = request.configuration?.taskPushNotificationConfig;
    const task = message.taskId === "" ? await this.#start(message) : await this.#answer(message);
    if (push !== undefined)
      await savePushConfig(this.#call.service, { ...push, taskId: task.runId }, task.events.length);
    return task;
  }

  async #start({ words, contextId: given }: ReturnType<typeof readMessage>): Promise<OwnTask> {
    const { service, token, header, about } = this.#call;
    await service.spending.check(token, Date.now());
    const contextId = given === "" ? crypto.randomUUID() : given;
    const { name: user } = token;
    const crew = this.#served.crew.conversation(nameConversation(contextId), { user });
    const traceparent = header("traceparent");
    const admitted = refuseTooMany(this.#call);
    if (admitted !== undefined) await admitted;
    const options = { user, by: user, ...(traceparent !== undefined && { traceparent }) };
    const { id } = await service.supervisor.start(crew, this.#served.name, words, options);
    about(id);
    return { ids: { id, contextId }, runId: id, events: [] };
  }

  async #answer(message: ReturnType<typeof readMessage>): Promise<OwnTask> {
    const task = await this.#find(message.taskId);
    const { events, ids } = task;
    if (message.contextId !== "" && nameConversation(message.contextId) !== nameConversation(ids.contextId))
      throw new TaskNotFoundError(`context '${message.contextId}' has no task '${message.taskId}'`);
    const last = events.at(-1);
    if (last?.type !== "run.paused")
      throw new UnsupportedOperationError(
        `task '${ids.id}' does not wait for an answer; leave out 'taskId' to start one`,
      );
    refuseGuarded(this.#call, last.data);
    const options = { by: this.#call.token.name, traceparent: this.#call.header("traceparent") };
    await this.#call.service.supervisor.resume(this.#served.crew, task.runId, readAnswer(message, last.data), options);
    return task;
  }

  async *#follow(
    task: OwnTask,
    known: readonly BatonEvent[],
    historyLength?: number,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const { runId, ids } = task;
    const { service, signal } = this.#call;
    const before = await service.store.read(runId);
    // What happened since the request came is told again as updates, so that none is missed.
    const first = before.slice(0, Math.max(known.length, 1));
    yield { payload: { $case: "task", value: this.#describe({ ...task, events: first }, historyLength) } };
    const updates = new TaskUpdates(ids, this.#isHeld, first);
    for await (const event of followTask(service, runId, first.length, signal))
      yield* updates.take(event, (events) => readResult({ events, served: this.#served }));
  }

  #describe({ ids, events }: OwnTask, historyLength: number | undefined): Task {
    const result = readResult({ events, served: this.#served });
    return buildTask({ ids, events, result, isHeld: this.#isHeld }, historyLength);
  }

  async #find(id: string): Promise<OwnTask> {
    this.#require("read", "run");
    const runId = toRunId(id);
    const events = await readOwnRun(this.#call, this.#served, runId);
    this.#call.about(runId);
    const [started] = events;
    const { session } = started?.type === "run.started" ? started.data : {};
    return { ids: { id: runId, contextId: session?.id ?? runId }, runId, events };
  }

  /** One of the scopes; a JSON-RPC request says only in its body what it asks for. */
  #require(...scopes: readonly ("read" | "run")[]): void {
    const { token } = this.#call;
    if (scopes.some((scope) => allows(token, scope))) return;
    throw new Refusal("forbidden", `this needs the scope '${scopes.join("' or '")}'`);
  }
}
