import { BatonError } from "../../vocabulary/errors.ts";
import { type Call, defineRoute, PROTOCOL_MAX_BODY, type Reply, type Route } from "../api-route.ts";
import { type BegunTurn, beginTurn } from "../openai/begin-turn.ts";
import { formatChatEnd, formatChatError, formatCompletion, formatRole, formatSaying } from "../openai/chat-format.ts";
import { listen } from "../openai/listen.ts";
import type { Breakdown, Saying } from "../openai/narration.ts";
import { toOpenAiError } from "../openai/openai-error.ts";
import { chatSchema, conversationSchema, responsesSchema } from "../openai/openai-schemas.ts";
import { readResponse } from "../openai/read-response.ts";
import { readChatTurn, readResponsesTurn, refuse, type Turn } from "../openai/read-turn.ts";
import { resolveReferences } from "../openai/resolve-references.ts";
import { formatResponse, ResponseStream } from "../openai/responses-format.ts";
import { nameResponse } from "../openai/thread-of-run.ts";
import { Refusal } from "../problem.ts";
import { anyObject } from "../schemas.ts";
import type { ServedCrew } from "../served-crews.ts";
import { allows } from "../token.ts";
import { findCrew, listVisibleCrews } from "../visible.ts";

/** How one of OpenAI's APIs tells an answer. */
interface Format {
  begin(): string;
  take(saying: Saying): string;
  end(result: Parameters<typeof formatCompletion>[2]): string;
  fail(breakdown: Breakdown): string;
  whole(sayings: readonly Saying[], result: Parameters<typeof formatCompletion>[2]): unknown;
}

/** What clients of OpenAI's API use. */
export const openAiRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/openai/v1/models",
    scope: "read",
    summary: "The crews that the token may use, as OpenAI's API lists models",
    result: anyObject,
    toError: toOpenAiError,
    handle: (call) => ({
      json: {
        object: "list",
        data: listVisibleCrews(call).map(describeModel),
      },
    }),
  }),
  defineRoute({
    method: "GET",
    path: "/openai/v1/models/:crew",
    scope: "read",
    summary: "A crew, as OpenAI's API describes a model",
    result: anyObject,
    toError: toOpenAiError,
    handle: (call) => ({ json: describeModel(findCrew(call).name) }),
  }),
  defineRoute({
    method: "POST",
    path: "/openai/v1/chat/completions",
    scope: "run",
    summary: "Runs a crew, as OpenAI's API completes a chat; `model` is the crew's name",
    body: chatSchema,
    result: anyObject,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    toError: toOpenAiError,
    handle: (call) =>
      respond(call, readChatTurn(call.body), (turn, { runId, fromSeq }) => {
        const id = `chatcmpl-${runId.replace(/^run_/, "")}-${fromSeq}`;
        const head = { id, created: Math.floor(Date.now() / 1000), model: turn.model };
        return {
          begin: () => formatRole(head),
          take: (saying) => formatSaying(head, saying),
          end: (result) => formatChatEnd(head, result, turn.hasUsageChunk),
          fail: formatChatError,
          whole: (sayings, result) => formatCompletion(head, sayings, result),
        };
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/openai/v1/responses",
    scope: "run",
    summary:
      "Runs a crew, as OpenAI's API makes a response; `previous_response_id` and `conversation` continue a thread",
    body: responsesSchema,
    result: anyObject,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    toError: toOpenAiError,
    handle: async (call) =>
      respond(call, readResponsesTurn(await resolveReferences(call, call.body)), (turn, { runId, fromSeq }) => {
        const createdAt = Math.floor(Date.now() / 1000);
        const head = { id: nameResponse(runId, fromSeq), createdAt, turn, metadata: call.body.metadata };
        const stream = new ResponseStream(head);
        return {
          begin: () => stream.begin(),
          take: (saying) => stream.take(saying),
          end: (result) => stream.end(result),
          fail: (breakdown) => stream.fail(breakdown),
          whole: (sayings, result) => formatResponse(head, sayings, result),
        };
      }),
  }),
  defineRoute({
    method: "POST",
    path: "/openai/v1/conversations",
    scope: "run",
    summary: "The id of a new conversation, for `conversation` of a response",
    body: conversationSchema.optional(),
    result: anyObject,
    toError: toOpenAiError,
    handle({ body }) {
      if (body?.items?.length) refuse("items", "a conversation with a crew begins empty: leave out 'items'");
      const id = `conv_${crypto.randomUUID().replaceAll("-", "")}`;
      const created = Math.floor(Date.now() / 1000);
      return { json: { id, object: "conversation", created_at: created, metadata: body?.metadata ?? {} } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/openai/v1/responses/:id",
    scope: "run",
    summary: "A response that was made earlier, also while its run is under way",
    result: anyObject,
    toError: toOpenAiError,
    handle: async (call) => ({ json: await readResponse(call, call.params["id"] ?? "") }),
  }),
];

function describeModel(id: string): unknown {
  return { id, object: "model", created: 0, owned_by: "baton" };
}

async function respond(
  call: Call<unknown, unknown>,
  turn: Turn,
  open: (turn: Turn, begun: BegunTurn) => Format,
): Promise<Reply> {
  const served = findCrew({ ...call, params: { crew: turn.model } });
  const ignored = listIgnored(call, turn);
  const headers = ignored.length === 0 ? {} : { "baton-ignored": ignored.map(toAscii).join(", ") };
  const begun = await beginTurn(call, served, turn);
  const format = open(turn, begun);
  return turn.isStreamed ? stream(call, served, begun, format, headers) : answer(call, served, begun, format, headers);
}

async function stream(
  call: Call<unknown, unknown>,
  served: ServedCrew,
  begun: BegunTurn,
  format: Format,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const out = call.service.streams.open(call.outgoing, headers);
  out.write(format.begin());
  const ending = await listen(call, served, begun, (saying) => out.write(format.take(saying)));
  if (ending !== undefined)
    out.end(ending.breakdown === undefined ? format.end(ending.result) : format.fail(ending.breakdown));
  return "streamed";
}

async function answer(
  call: Call<unknown, unknown>,
  served: ServedCrew,
  begun: BegunTurn,
  format: Format,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> {
  const sayings: Saying[] = [];
  const ending = await listen(call, served, begun, (saying) => sayings.push(saying));
  if (ending === undefined) throw new BatonError("stopping", "the caller went away");
  const { result } = ending;
  if (result.status === "failed" || result.status === "cancelled") {
    const why = result.error ?? { code: "cancelled", message: "the run was cancelled" };
    throw new Refusal("run-failed", `${why.code}: ${why.message}`, {
      // The run has tried again where that makes sense; another run would cost as much again.
      headers: { "x-should-retry": "false", "baton-run": result.runId },
    });
  }
  return { json: format.whole(sayings, result), headers };
}

/** With a thread that the server keeps, earlier messages have no effect; `user` needs a token that may act for others. */
function listIgnored({ token }: Call<unknown, unknown>, turn: Turn): string[] {
  const isKept = turn.conversation !== undefined || turn.runId !== undefined;
  return [
    ...turn.ignored,
    ...(isKept && turn.history.length > 0 ? ["messages before the last"] : []),
    ...(turn.user !== undefined && !allows(token, "act_as") ? ["user"] : []),
  ];
}

/** Headers take no other letters. */
function toAscii(name: string): string {
  return encodeURIComponent(name).replaceAll("%20", " ");
}
