import { z } from "zod";
import { diagnose } from "../../diagnosis/diagnose.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { readCrewCopy } from "../../run-storage/crew-copy.ts";
import { buildRunTree } from "../../views/run-tree.ts";
import { listSpending } from "../../views/spending.ts";
import { buildTranscript } from "../../views/transcript.ts";
import { defineRoute, type Route } from "../api-route.ts";
import { anyObject } from "../schemas.ts";
import { exportRun } from "../studio/export-run.ts";
import { readResult, readVisibleRun } from "../visible.ts";

/** What became of a run, in several ways. */
export const runViewRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/tree",
    scope: "read",
    summary: "The run as a tree, with time, tokens and cost of each part",
    result: anyObject,
    handle: async (call) => ({ json: buildRunTree((await readVisibleRun(call)).events) }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/transcript",
    scope: "read",
    summary: "Who said what to whom",
    result: z.unknown(),
    handle: async (call) => ({ json: buildTranscript((await readVisibleRun(call)).events) }),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/cost",
    scope: "read",
    summary: "Tokens, time and cost by agent and model",
    result: anyObject,
    async handle(call) {
      const run = await readVisibleRun(call);
      const { usage, cost } = readResult(run);
      return { json: { spending: listSpending(run.events), usage, cost } };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/export",
    scope: "read",
    summary: "The run as one HTML file, redacted, that opens from disk and needs no server",
    produces: ["text/html"],
    async handle(call) {
      const { store, variables } = call.service;
      const { runId, events } = await readVisibleRun(call);
      const [started] = events;
      const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
      const crew = await readCrewCopy(store, fingerprint);
      const headers = {
        "Content-Disposition": `attachment; filename="${runId}.html"`,
        "Content-Security-Policy": "sandbox",
      };
      const text = exportRun(events, crew, createRedactor(variables));
      return { text, type: "text/html; charset=utf-8", headers };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/diagnosis",
    scope: "read",
    summary: "What went wrong in the run, why, and what to change",
    result: anyObject,
    async handle(call) {
      const { events } = await readVisibleRun(call);
      const [started] = events;
      const fingerprint = started?.type === "run.started" ? started.data.fingerprint : undefined;
      return { json: diagnose(events, await readCrewCopy(call.service.store, fingerprint)) };
    },
  }),
];
