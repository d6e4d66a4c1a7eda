import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { type AgUiCall, beginAgUiRun } from "../ag-ui/begin-ag-ui-run.ts";
import { tellAgUiRun } from "../ag-ui/tell-ag-ui-run.ts";
import { defineRoute, PROTOCOL_MAX_BODY, type Route } from "../api-route.ts";
import { findCrew } from "../visible.ts";

/** What pages that speak AG-UI use. */
export const agUiRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/ag-ui/:crew",
    scope: "run",
    summary: "Runs a crew, or answers its question, and streams AG-UI events; `threadId` is a conversation",
    body: RunAgentInputSchema,
    produces: ["text/event-stream"],
    maxBody: PROTOCOL_MAX_BODY,
    problems: ["conversation-active", "conversation-interrupted", "not-paused", "pause-expired", "bad-answer"],
    async handle(call) {
      const served = findCrew(call);
      const { threadId, runId } = call.body;
      // The schema and the type are generated from one document; they differ in how they say that a field may be absent.
      const part = await beginAgUiRun(call as AgUiCall, served);
      await tellAgUiRun(call, served, part, { threadId, runId });
      return "streamed" as const;
    },
  }),
];
