import { z } from "zod";
import type { RunQuery } from "../../journal/store.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import { type Call, defineRoute, type Route } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import { eventSchema, flagSchema, limitSchema, resultSchema, runListSchema } from "../schemas.ts";
import { streamList } from "../stream-list.ts";
import { streamRun } from "../stream-run.ts";
import { findVisibleRun, listVisibleCrews, readResult, readVisibleRun } from "../visible.ts";
import { startRunRoute } from "./start-run.ts";

const PAGE = 50;
const MAX_EVENTS = 1000;

const listQuery = z.strictObject({
  crew: z.string().optional(),
  status: z.enum(["queued", "running", "paused", "completed", "failed", "cancelled"]).optional(),
  conversation: z.string().optional(),
  user: z.string().optional(),
  limit: limitSchema,
  cursor: z.string().optional(),
});

/** Runs: started, listed, read and followed. */
export const runRoutes: readonly Route[] = [
  startRunRoute,
  defineRoute({
    method: "GET",
    path: "/v1/runs",
    scope: "read",
    summary:
      "Runs, the newest first; `cursor` is the `next` of the page before. As an event stream: each run as it changes",
    query: listQuery,
    result: runListSchema,
    produces: ["text/event-stream"],
    async handle(call) {
      const query = readQuery(call);
      const { limit = PAGE } = call.query;
      const { store } = call.service;
      if (wantsStream(call)) return streamList(call, "run", () => store.list({ ...query, limit }));
      const runs = await store.list({ ...query, limit: limit + 1 });
      const page = runs.slice(0, limit);
      const next = runs.length > limit ? page.at(-1)?.runId : undefined;
      return { json: { runs: page, ...(next !== undefined && { next }) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id",
    scope: "read",
    summary: "The result of a run as it stands",
    result: resultSchema,
    handle: async (call) => ({ json: readResult(await readVisibleRun(call)) }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/events",
    scope: "read",
    summary: "The events of a run; as an event stream, live, from `Last-Event-ID` or `from` on",
    query: z.strictObject({
      from: z.coerce.number().int().min(0).optional(),
      limit: limitSchema,
      deltas: flagSchema,
    }),
    headers: { "Last-Event-ID": "The number of the last event that the reader of a stream has." },
    result: z.strictObject({ events: z.array(eventSchema), next: z.int().optional() }),
    produces: ["text/event-stream"],
    async handle(call) {
      const { runId } = await findVisibleRun(call);
      const { store, channels, streams } = call.service;
      const { from = 0, limit = MAX_EVENTS, deltas } = call.query;
      if (wantsStream(call)) {
        const fromSeq = readLastEventId(call.header("last-event-id")) ?? from;
        const stream = streams.open(call.outgoing);
        await streamRun(stream, { runId, fromSeq, hasDeltas: deltas !== "false" }, store, channels);
        return "streamed";
      }
      // One more than the page says whether there is another page.
      const events = await store.read(runId, from, limit + 1);
      const isMore = events.length > limit;
      return { json: { events: events.slice(0, limit), ...(isMore && { next: from + limit }) } };
    },
  }),
];

function wantsStream({ header }: Call<unknown, unknown>): boolean {
  return header("accept")?.includes("text/event-stream") ?? false;
}

/** The event after the last one that the reader has. */
function readLastEventId(id: string | undefined): number | undefined {
  if (id === undefined || id === "") return undefined;
  if (!/^\d{1,9}$/.test(id)) throw new Refusal("bad-request", "Last-Event-ID must be the number of an event");
  return Number(id) + 1;
}

function readQuery(call: Call<z.output<typeof listQuery>>): RunQuery {
  const { crew, status, conversation, user, cursor } = call.query;
  const visible = listVisibleCrews(call);
  return {
    crew: crew === undefined ? visible : visible.filter((name) => name === crew),
    ...(status !== undefined && { status }),
    ...(conversation !== undefined && { conversation }),
    ...(user !== undefined && { user }),
    ...(cursor !== undefined && { after: toRunId(cursor) }),
  };
}
