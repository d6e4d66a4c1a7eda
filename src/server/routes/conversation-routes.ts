import { z } from "zod";
import { deleteConversation, deleteUser } from "../../library/delete-runs.ts";
import { listInbox } from "../../run-storage/list-inbox.ts";
import { BatonError } from "../../vocabulary/errors.ts";
import { type Call, defineRoute, type Route } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import { anyObject, deletionSchema, limitSchema, pausedSchema, storedRunSchema } from "../schemas.ts";
import type { ServedCrew } from "../served-crews.ts";
import { streamList } from "../stream-list.ts";
import { allows } from "../token.ts";
import { findCrew, listVisibleCrews } from "../visible.ts";

const whose = z.strictObject({ crew: z.string().optional(), user: z.string().optional() });

/** Conversations, users, and what waits for people. */
export const conversationRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/v1/conversations/:id",
    scope: "read",
    summary: "How a conversation stands; of another user only with `act_as`",
    query: whose,
    result: anyObject,
    async handle(call) {
      const { served, user, id } = findConversation(call);
      const state = await served.crew.conversation(id, { user }).state();
      if (state === undefined) throw new BatonError("unknown-session", `there is no conversation '${id}'`);
      return { json: state };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/conversations/:id",
    scope: "admin",
    summary: "Deletes a conversation with all its runs",
    query: whose,
    result: deletionSchema,
    problems: ["run-active"],
    async handle(call) {
      const { served, user, id } = findConversation(call);
      const { store } = call.service;
      return { json: await deleteConversation(store, { id, crew: served.name, user }, { by: call.token.name }) };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/users/:user",
    scope: "admin",
    summary: "Deletes every run that was for a user, the user's conversations, and what agents remember of the user",
    result: deletionSchema,
    problems: ["run-active"],
    async handle({ service, params: { user = "" }, token }) {
      // Runs of crews that the token may not use are none of its business, and stay.
      if (token.crews !== undefined)
        throw new Refusal("forbidden", "deleting a user needs a token that may use every crew");
      return { json: await deleteUser(service.store, user, { by: token.name }) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/inbox",
    scope: "read",
    summary: "Paused runs with what each waits for, the newest first; live as an event stream",
    query: z.strictObject({ crew: z.string().optional(), user: z.string().optional(), limit: limitSchema }),
    result: z.strictObject({ runs: z.array(storedRunSchema.extend({ paused: pausedSchema })) }),
    produces: ["text/event-stream"],
    async handle(call) {
      const { crew, user, limit = 50 } = call.query;
      const visible = listVisibleCrews(call);
      const query = {
        crew: crew === undefined ? visible : visible.filter((name) => name === crew),
        ...(user !== undefined && { user }),
        limit,
      };
      const list = () => listInbox(call.service.store, query);
      if (call.header("accept")?.includes("text/event-stream")) return streamList(call, "paused", list);
      return { json: { runs: await list() } };
    },
  }),
];

/** The conversation that a path and a query name: the token's own, unless it may act for others. */
function findConversation(call: Call<z.output<typeof whose>>): {
  readonly served: ServedCrew;
  readonly user: string;
  readonly id: string;
} {
  const { params, query, token } = call;
  const { id = "" } = params;
  const { user = token.name } = query;
  if (user !== token.name && !allows(token, "act_as"))
    throw new Refusal("forbidden", "conversations of other users need the scope 'act_as'");
  const [only, ...others] = listVisibleCrews(call);
  const crew = query.crew ?? (others.length === 0 ? only : undefined);
  if (crew === undefined) throw new Refusal("bad-request", "there are several crews: say which, with ?crew=<name>");
  return { served: findCrew({ ...call, params: { crew } }), user, id };
}
