import {
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { z } from "zod";
import { BatonError } from "../../vocabulary/errors.ts";
import { buildCard, writeCard } from "../a2a/agent-card.ts";
import { answerJsonRpc, answerRest, streamRest } from "../a2a/answer-a2a.ts";
import { toJsonRpcProblem, toRestProblem } from "../a2a/to-a2a-error.ts";
import { type Call, defineRoute, PROTOCOL_MAX_BODY, type Reply, type Route } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import { anyObject } from "../schemas.ts";

const A2A_JSON = "application/a2a+json";
const rpcSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  params: z.unknown().optional(),
});
const sendSchema = z.looseObject({ message: z.looseObject({}) });
const pushSchema = z.looseObject({ url: z.string() });
const listSchema = z.looseObject({});
const lengthSchema = z.looseObject({ historyLength: z.coerce.number().int().min(0).optional() });

const rest = { result: anyObject, toError: toRestProblem, accepts: [A2A_JSON] } as const;
const taskId = ({ params }: Pick<Call, "params">) => (params["task"] ?? "").replace(/:(cancel|subscribe)$/, "");
const nameTask = (call: Pick<Call, "params">) => ({ tenant: "", id: taskId(call) });

/** What agents that speak A2A use. */
export const a2aRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/.well-known/agent-card.json",
    scope: "public",
    summary: "The A2A card of the server's crew, or of the one that `--a2a` names",
    result: anyObject,
    handle: (call) => answerCard(call, call.service.a2aCrew),
  }),
  defineRoute({
    method: "GET",
    path: "/a2a/:crew/.well-known/agent-card.json",
    scope: "public",
    summary: "The A2A card of a crew",
    result: anyObject,
    handle: (call) => answerCard(call, call.params["crew"]),
  }),
  defineRoute({
    method: "POST",
    path: "/a2a/:crew",
    scope: "read",
    summary: "A2A's JSON-RPC binding; sending and cancelling need `run`",
    body: rpcSchema,
    result: anyObject,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    toError: toJsonRpcProblem,
    handle: (call) => answerJsonRpc(call, call.body),
  }),
  defineRoute({
    method: "POST",
    path: "/a2a/:crew/message:send",
    scope: "run",
    summary: "Starts a task, or answers the one that the message names, as A2A's HTTP+JSON binding does",
    body: sendSchema,
    maxBody: PROTOCOL_MAX_BODY,
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) => {
        const task = await handler.sendMessage(SendMessageRequest.fromJSON(call.body), context);
        // A crew answers with tasks only.
        return SendMessageResponse.toJSON({ payload: { $case: "task", value: task as Task } });
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/a2a/:crew/message:stream",
    scope: "run",
    summary: "The same, and streams the updates of the task",
    body: sendSchema,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    ...rest,
    handle: (call) =>
      streamRest(call, (handler, context) =>
        handler.sendMessageStream(SendMessageRequest.fromJSON(call.body), context),
      ),
  }),
  defineRoute({
    method: "GET",
    path: "/a2a/:crew/tasks",
    scope: "read",
    summary: "The token's own tasks, the newest first",
    query: listSchema,
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) =>
        ListTasksResponse.toJSON(await handler.listTasks(readListRequest(call.query), context)),
      ),
  }),
  defineRoute({
    method: "GET",
    path: "/a2a/:crew/tasks/:task{[\\w-]+}",
    scope: "read",
    summary: "A task: how it stands, what was said, and its output",
    query: lengthSchema,
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) =>
        Task.toJSON(await handler.getTask({ ...nameTask(call), historyLength: call.query.historyLength }, context)),
      ),
  }),
  defineRoute({
    method: "POST",
    path: "/a2a/:crew/tasks/:task{[\\w-]+:cancel}",
    scope: "run",
    summary: "Cancels a task",
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) =>
        Task.toJSON(await handler.cancelTask({ ...nameTask(call), metadata: undefined }, context)),
      ),
  }),
  ...(["GET", "POST"] as const).map((method) =>
    defineRoute({
      method,
      path: "/a2a/:crew/tasks/:task{[\\w-]+:subscribe}",
      scope: "read",
      summary: "Streams the updates of a task that has not ended",
      produces: ["text/event-stream"],
      ...rest,
      handle: (call) => streamRest(call, (handler, context) => handler.resubscribe(nameTask(call), context)),
    }),
  ),
  defineRoute({
    method: "POST",
    path: "/a2a/:crew/tasks/:task/pushNotificationConfigs",
    scope: "run",
    summary: "Asks to be told, at a public HTTPS address, when the task waits for an answer or ends",
    body: pushSchema,
    status: 201,
    ...rest,
    handle: (call) =>
      answerRest(
        call,
        async (handler, context) => {
          const config = TaskPushNotificationConfig.fromJSON({ ...call.body, taskId: taskId(call) });
          return TaskPushNotificationConfig.toJSON(await handler.createTaskPushNotificationConfig(config, context));
        },
        201,
      ),
  }),
  defineRoute({
    method: "GET",
    path: "/a2a/:crew/tasks/:task/pushNotificationConfigs",
    scope: "run",
    summary: "Who is told of the task",
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) => {
        const request = { tenant: "", taskId: taskId(call), pageSize: 0, pageToken: "" };
        return ListTaskPushNotificationConfigsResponse.toJSON(
          await handler.listTaskPushNotificationConfigs(request, context),
        );
      }),
  }),
  defineRoute({
    method: "GET",
    path: "/a2a/:crew/tasks/:task/pushNotificationConfigs/:config",
    scope: "run",
    summary: "One of them",
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) =>
        TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(nameConfig(call), context)),
      ),
  }),
  defineRoute({
    method: "DELETE",
    path: "/a2a/:crew/tasks/:task/pushNotificationConfigs/:config",
    scope: "run",
    summary: "Tells one of them no more",
    ...rest,
    handle: (call) =>
      answerRest(call, async (handler, context) => {
        await handler.deleteTaskPushNotificationConfig(nameConfig(call), context);
        return {};
      }),
  }),
];

function nameConfig(call: Pick<Call, "params">) {
  return { tenant: "", taskId: taskId(call), id: call.params["config"] ?? "" };
}

function readListRequest(query: Readonly<Record<string, unknown>>): ListTasksRequest {
  const { pageSize, historyLength, includeArtifacts, ...others } = query;
  return ListTasksRequest.fromJSON({
    ...others,
    ...(pageSize !== undefined && { pageSize: Number(pageSize) }),
    ...(historyLength !== undefined && { historyLength: Number(historyLength) }),
    ...(includeArtifacts !== undefined && { includeArtifacts: includeArtifacts === "true" }),
  });
}

function answerCard({ service, address }: Call<unknown, unknown>, name: string | undefined): Reply {
  const served = service.crews.get(name ?? "");
  if (served !== undefined) return { json: writeCard(buildCard(served.crew.definition, address)) };
  if (name !== undefined) throw new BatonError("unknown-crew", `there is no crew '${name}'`);
  throw new Refusal(
    "unknown-route",
    "this server has several crews: their cards are at /a2a/<crew>/.well-known/agent-card.json, or start it with --a2a <crew>",
  );
}
