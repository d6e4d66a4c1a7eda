import { z } from "zod";
import { deleteRun } from "../../library/delete-runs.ts";
import type { Fork } from "../../runtime/fork-run.ts";
import type { Decision, ResumeAnswer } from "../../vocabulary/pause.ts";
import { type Call, defineRoute, PROTOCOL_MAX_BODY, type Reply, type Route } from "../api-route.ts";
import { Refusal } from "../problem.ts";
import { collectFiles } from "../read-files.ts";
import { answerSchema, anyObject, deletionSchema } from "../schemas.ts";
import { allows } from "../token.ts";
import { findVisibleRun, readVisibleRun } from "../visible.ts";
import { refuseTooMany } from "./start-run.ts";

const runningSchema = z.strictObject({
  runId: z.string(),
  status: z.string(),
  from: z.int().optional().meta({ description: "The number of the first event that an answer adds." }),
});

const forkSchema = z
  .strictObject({
    at: z.int().min(0),
    input: z.string().optional(),
    reply: z.string().optional(),
    prompts: z.record(z.string(), z.string()).optional(),
    models: z.array(z.string()).optional(),
  })
  .meta({ id: "Fork", description: "Other words than `input` need `admin`." });

/** What changes a run. */
export const runActionRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/v1/runs/:id/resume",
    scope: "answer",
    summary: "Answers a paused run",
    body: answerSchema,
    takesFiles: true,
    maxBody: PROTOCOL_MAX_BODY,
    result: runningSchema,
    status: 202,
    problems: ["not-paused", "bad-answer", "pause-expired", "too-soon", "run-active", "crew-changed"],
    async handle(call) {
      const { runId, served, events } = await readVisibleRun(call);
      const { acceptChanges = false, attachments: sent, ...words } = call.body;
      const attachments = collectFiles(sent, call.files, served.crew.definition, call.signal);
      const answer = { ...readAnswer(words), ...(attachments !== undefined && { attachments }) };
      const options = { by: call.token.name, acceptChanges, traceparent: call.header("traceparent") };
      await call.service.supervisor.resume(served.crew, runId, answer, options);
      return accepted(call, runId, call.service.supervisor.accepts, { from: events.length });
    },
  }),
  createContinueRoute("recover", "Continues a run that was interrupted, as the server does by itself", ["not-broken"]),
  createContinueRoute("expire", "Applies the decision of a pause whose deadline has passed", [
    "not-expired",
    "not-paused",
  ]),
  defineRoute({
    method: "POST",
    path: "/v1/runs/:id/cancel",
    scope: "answer",
    summary: "Cancels a run; `graceful` lets its current turn finish",
    body: z.strictObject({ graceful: z.boolean().optional() }).optional(),
    result: runningSchema,
    status: 202,
    problems: ["run-ended"],
    async handle(call) {
      const { runId, served } = await findVisibleRun(call);
      const status = await call.service.supervisor.cancel(served.crew, runId, call.body?.graceful === true);
      return accepted(call, runId, status);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/runs/:id/feedback",
    scope: "answer",
    summary: "Says whether a run was good or bad, which its statistics count by",
    body: z.strictObject({ verdict: z.enum(["good", "bad"]), words: z.string().max(10_000).optional() }),
    result: anyObject,
    async handle(call) {
      const { runId, served } = await findVisibleRun(call);
      const { verdict, words = "" } = call.body;
      return { json: { runId, ...(await served.crew.feedback(runId, verdict, words)) } };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/runs/:id/fork",
    scope: "run",
    summary:
      "Starts a run that shares the events of another one up to `at`; other prompts, models or replies need `admin`",
    body: forkSchema,
    result: runningSchema,
    status: 202,
    problems: ["bad-fork"],
    async handle(call) {
      const { runId, served } = await findVisibleRun(call);
      const { at, input, reply, prompts, models } = call.body;
      if ((reply ?? prompts ?? models) !== undefined && !allows(call.token, "admin"))
        throw new Refusal("forbidden", "a fork with another prompt, model or reply needs the scope 'admin'");
      const change: Fork = {
        at,
        ...(input !== undefined && { input }),
        ...(reply !== undefined && { reply }),
        ...(prompts !== undefined && { prompts }),
        ...(models !== undefined && { models }),
      };
      const { name } = call.token;
      await call.service.spending.check(call.token, Date.now());
      const admitted = refuseTooMany(call);
      if (admitted !== undefined) await admitted;
      const handle = await call.service.supervisor.fork(served.crew, runId, change, {
        by: name,
        traceparent: call.header("traceparent"),
      });
      return accepted(call, handle.id, call.service.supervisor.accepts);
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/runs/:id",
    scope: "admin",
    summary: "Deletes a run with everything that belongs to it",
    result: deletionSchema,
    problems: ["run-active"],
    async handle(call) {
      const { runId } = await findVisibleRun(call);
      return { json: await deleteRun(call.service.store, runId, { by: call.token.name }) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/runs/:id/replay",
    scope: "read",
    summary: "Replays a run without calling anything, and gives the first event that differs, if one does",
    query: z.strictObject({ current: z.enum(["true", "false"]).optional() }),
    result: anyObject,
    async handle(call) {
      const { runId, served } = await findVisibleRun(call);
      return { json: await served.crew.replay(runId, { current: call.query.current === "true" }) };
    },
  }),
];

/** A route that continues a run without an answer. */
function createContinueRoute(how: "recover" | "expire", summary: string, problems: readonly string[]): Route {
  return defineRoute({
    method: "POST",
    path: `/v1/runs/:id/${how}`,
    scope: "answer",
    summary,
    body: z.strictObject({ acceptChanges: z.boolean().optional() }).optional(),
    result: runningSchema,
    status: 202,
    problems: [...problems, "run-active", "crew-changed"],
    async handle(call) {
      const { runId, served, events } = await readVisibleRun(call);
      const acceptChanges = call.body?.acceptChanges === true;
      const options = { by: call.token.name, original: !acceptChanges, acceptChanges };
      await call.service.supervisor[how](served.crew, runId, options);
      return accepted(call, runId, call.service.supervisor.accepts, { from: events.length });
    },
  });
}

function accepted(
  { locate, about }: Call<unknown, unknown>,
  runId: string,
  status: string,
  more: { readonly from?: number } = {},
): Reply {
  about(runId);
  const headers = { Location: locate(`/v1/runs/${runId}`) };
  return { json: { runId, status, ...more }, status: 202, headers };
}

/** Which parts a pause takes, the run itself checks. */
function readAnswer({
  input,
  decision,
  ...others
}: Omit<z.output<typeof answerSchema>, "acceptChanges" | "attachments">): ResumeAnswer {
  return {
    ...others,
    ...(input !== undefined && { input }),
    // What is not a decision is refused by the question.
    ...(decision !== undefined && { decision: decision as Decision }),
  };
}
