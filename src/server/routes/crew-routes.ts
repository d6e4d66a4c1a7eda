import { z } from "zod";
import { buildDrawing } from "../../flow/crew-drawing.ts";
import { buildGraph } from "../../flow/crew-graph.ts";
import { drawDot } from "../../flow/draw-dot.ts";
import { drawMermaid } from "../../flow/draw-mermaid.ts";
import { drawSvg } from "../../flow/draw-svg.ts";
import { listSignalUses } from "../../flow/list-signal-uses.ts";
import { planToJson } from "../../flow/plan/plan.ts";
import { planCrew } from "../../library/plan-crew.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { describeCrew } from "../describe-crew.ts";
import { graphToJson } from "../graph-to-json.ts";
import { Refusal } from "../problem.ts";
import { readStatistics, statisticsQuery } from "../read-statistics.ts";
import { anyObject, flagSchema, limitSchema } from "../schemas.ts";
import { allows } from "../token.ts";
import { findCrew, listVisibleCrews } from "../visible.ts";

const drawings = {
  mermaid: { draw: drawMermaid, type: "text/plain; charset=utf-8" },
  dot: { draw: drawDot, type: "text/plain; charset=utf-8" },
  svg: { draw: drawSvg, type: "image/svg+xml" },
} as const;

/** What a server serves. */
export const crewRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/v1/crews",
    scope: "read",
    summary: "The crews that the token may use",
    result: z.strictObject({ crews: z.array(anyObject) }),
    handle(call) {
      const names = new Set(listVisibleCrews(call));
      const served = call.service.crews.list().filter(({ name }) => names.has(name));
      return { json: { crews: served.map((each) => describeCrew(each, false)) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew",
    scope: "read",
    summary: "A crew: its agents, entry point, settings and warnings; prompts only with `admin`",
    query: z.strictObject({ prompts: flagSchema }),
    result: anyObject,
    handle(call) {
      const served = findCrew(call);
      const hasPrompts = call.query.prompts === "true";
      if (hasPrompts && !allows(call.token, "admin")) throw new Refusal("forbidden", "prompts need the scope 'admin'");
      return { json: describeCrew(served, hasPrompts) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/graph",
    scope: "read",
    summary: "A drawing of the crew, or its nodes and edges",
    query: z.strictObject({ format: z.enum(["json", "mermaid", "svg", "dot"]).default("json") }),
    result: anyObject,
    produces: ["text/plain", "image/svg+xml"],
    handle(call) {
      const graph = buildGraph(findCrew(call).crew.definition);
      const { format } = call.query;
      if (format === "json") return { json: graphToJson(buildDrawing(graph)) };
      const { draw, type } = drawings[format];
      return { text: draw(graph), type };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/signals",
    scope: "read",
    summary: "The crew's signals: who emits them, and where they lead",
    result: z.strictObject({ signals: z.array(anyObject) }),
    handle(call) {
      const { definition } = findCrew(call).crew;
      const uses = listSignalUses(definition);
      return { json: { signals: definition.signals.map((each) => ({ ...each, uses: uses.get(each.name) ?? [] })) } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/plan",
    scope: "read",
    summary: "What a run of the crew can do and cost at worst, and what it is likely to; also with other limits",
    query: z.strictObject({
      input: z.string().max(10_000).optional(),
      max_handoffs: z.coerce.number().int().min(0).optional(),
      max_rounds: z.coerce.number().int().min(1).optional(),
    }),
    result: anyObject,
    async handle(call) {
      const { store, variables } = call.service;
      const { definition } = findCrew(call).crew;
      const { input, max_handoffs: maxHandoffs, max_rounds: maxRounds } = call.query;
      const settings = {
        ...definition.settings,
        ...(maxHandoffs !== undefined && { maxHandoffs }),
        ...(maxRounds !== undefined && { maxRounds }),
      };
      return { json: planToJson(await planCrew({ ...definition, settings }, input, {}, { store, variables })) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/crews/:crew/stats",
    scope: "read",
    summary:
      "Success, cost and time of the crew's handoffs; with `by`, statistics of its runs by day or agent, as `/v1/stats`",
    query: z.strictObject({
      limit: limitSchema,
      from: z.string().optional(),
      to: z.string().optional(),
      since: z.coerce.number().optional().meta({ description: "Milliseconds since 1970." }),
      by: statisticsQuery.shape.by.unwrap().optional(),
      days: statisticsQuery.shape.days,
    }),
    result: anyObject,
    async handle(call) {
      const { limit = 20, by, days, from, to, since } = call.query;
      const { name, crew } = findCrew(call);
      const query = {
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(since !== undefined && { since }),
      };
      return {
        json: by === undefined ? await crew.stats(query) : await readStatistics(call, { by, days }, [name]),
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/crews/:crew/suggest",
    scope: "read",
    summary: "Ranks whom an agent may hand its work to, or who may begin",
    body: z.strictObject({ agent: z.string().optional(), input: z.string().optional() }),
    result: z.strictObject({ targets: z.array(anyObject) }),
    async handle(call) {
      const { agent, input } = call.body;
      const question = { ...(agent !== undefined && { agent }), ...(input !== undefined && { input }) };
      return { json: { targets: await findCrew(call).crew.suggest(question) } };
    },
  }),
];
