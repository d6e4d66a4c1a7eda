import { z } from "zod";
import { buildDrawing } from "../../flow/crew-drawing.ts";
import { buildCoverageGraph } from "../../scenario/build-coverage-graph.ts";
import { recordScenario } from "../../scenario/record-scenario.ts";
import { buildResult } from "../../views/run-result.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { folderOf } from "../editable-files.ts";
import { graphToJson } from "../graph-to-json.ts";
import { anyObject } from "../schemas.ts";
import { findCrew, findVisibleRun, listVisibleCrews, readVisibleRun } from "../visible.ts";

const DAY_MS = 86_400_000;
/** More runs than this are not read for one answer. */
const MAX_RUNS = 5000;

/** What people who improve crews look at. */
export const insightRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/runs/:id/scenario",
    scope: "admin",
    summary: "A scenario that plays the run again",
    result: z.strictObject({ scenario: z.string() }),
    problems: ["not-recordable"],
    async handle(call) {
      const { events } = await readVisibleRun(call);
      return { json: { scenario: recordScenario(events, ".") } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/calls/:seq{[0-9]+}",
    scope: "admin",
    summary: "The request of a model call as it was sent; `seq` is the number of its `model.called` event",
    result: anyObject,
    async handle(call) {
      const { runId, served } = await findVisibleRun(call);
      return { json: await served.crew.readRequest(runId, Number(call.params["seq"])) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/coverage",
    scope: "admin",
    summary: "The crew's graph with what the scenarios in its folder show of it, after playing them offline",
    result: z.strictObject({
      graph: anyObject.optional(),
      coverage: z.array(anyObject),
      failed: z.int(),
      passed: z.int(),
    }),
    async handle(call) {
      const { path } = findCrew(call);
      const folder = folderOf(path);
      const built = await buildCoverageGraph(path, [folder], { workingDirectory: folder });
      if (built === undefined) return { json: { coverage: [], failed: 0, passed: 0 } };
      const { graph, coverage, results } = built;
      const { failed, passed } = results;
      return { json: { graph: graphToJson(buildDrawing(graph)), coverage, failed, passed } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/stats",
    scope: "admin",
    summary: "Runs, cost and time by day and crew",
    query: z.strictObject({
      by: z.literal("day").default("day"),
      days: z.coerce.number().int().min(1).max(366).default(30),
    }),
    result: z.strictObject({ days: z.array(anyObject), isCut: z.boolean() }),
    async handle(call) {
      const { store } = call.service;
      const since = Date.now() - call.query.days * DAY_MS;
      const runs = await store.list({ crew: listVisibleCrews(call), limit: MAX_RUNS });
      const days = new Map<string, { runs: number; usd: number; ms: number; statuses: Record<string, number> }>();
      for (const { runId, crew, status, startedAt, updatedAt } of runs) {
        if (startedAt < since) continue;
        const key = `${new Date(startedAt).toISOString().slice(0, 10)} ${crew}`;
        const day = days.get(key) ?? { runs: 0, usd: 0, ms: 0, statuses: {} };
        const events = await store.read(runId);
        day.runs++;
        day.usd += events.length === 0 ? 0 : (buildResult(events).cost.usd ?? 0);
        day.ms += updatedAt - startedAt;
        day.statuses[status] = (day.statuses[status] ?? 0) + 1;
        days.set(key, day);
      }
      const list = [...days].map(([key, day]) => ({ day: key.slice(0, 10), crew: key.slice(11), ...day }));
      return { json: { days: list, isCut: runs.length === MAX_RUNS } };
    },
  }),
];
