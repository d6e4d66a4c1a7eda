import { z } from "zod";
import { buildDrawing } from "../../flow/crew-drawing.ts";
import { buildCoverageGraph } from "../../scenario/build-coverage-graph.ts";
import { recordScenario } from "../../scenario/record-scenario.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { folderOf } from "../editable-files.ts";
import { graphToJson } from "../graph-to-json.ts";
import { readStatistics, statisticsQuery, statisticsSchema } from "../read-statistics.ts";
import { anyObject } from "../schemas.ts";
import { findCrew, findVisibleRun, listVisibleCrews, readVisibleRun } from "../visible.ts";

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
    summary: "Statistics of runs by day, crew or agent: how they ended, cost, time, findings and handoffs",
    query: statisticsQuery.extend({ crew: z.string().optional() }),
    result: statisticsSchema,
    async handle(call) {
      const { crew, ...query } = call.query;
      const visible = listVisibleCrews(call);
      const wanted = crew === undefined ? visible : visible.filter((name) => name === crew);
      return { json: await readStatistics(call, query, wanted) };
    },
  }),
];
