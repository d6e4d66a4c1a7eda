import type { Attributes } from "@opentelemetry/api";
import type { RunStatus } from "../views/run-result.ts";
import type { Bill } from "../vocabulary/bill.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import { finishReason } from "./finish-reason.ts";

/** How a span ends. */
export interface Ending {
  readonly status: Exclude<RunStatus, "running">;
  readonly attributes: Attributes;
  /** The failure, if there is one. A cancellation is not an error. */
  readonly problem?: { readonly type: string; readonly message: string };
}

/** Finds how an event ends the span at its place. */
export function findEnding(event: BatonEvent): Ending | undefined {
  switch (event.type) {
    case "agent.completed":
    case "tool.completed":
    case "function.completed":
      return { status: "completed", attributes: {} };
    case "model.completed":
      return { status: "completed", attributes: listReplyAttributes(event.data) };
    case "agent.failed":
    case "function.failed":
      return describeFailure(event.data);
    case "model.failed": {
      const { code, message, status } = event.data;
      return describeFailure(
        { code: status === undefined ? code : `${status}`, message },
        listBillAttributes(event.data),
      );
    }
    case "tool.failed":
      return describeFailure({ code: "tool_failed", message: event.data.message });
    case "crew.left": {
      const { status, stopReason, error } = event.data;
      const attributes = stopReason === undefined ? {} : { "baton.stop_reason": stopReason };
      if (status === "completed" || error === undefined) return { status, attributes };
      return { ...describeFailure(error, attributes), status };
    }
    default:
      return undefined;
  }
}

/** Finds how an event ends the run's own span, and all open spans with it. */
export function findRunEnding(event: BatonEvent): Ending | undefined {
  switch (event.type) {
    case "run.completed":
      return { status: "completed", attributes: { "baton.stop_reason": event.data.stopReason } };
    case "run.failed":
      return describeFailure(event.data.error, { "baton.stop_reason": event.data.stopReason });
    case "run.cancelled":
      return { status: "cancelled", attributes: { "baton.stop_reason": "cancelled" } };
    case "run.paused":
      return {
        status: "paused",
        attributes: { "baton.stop_reason": "pause", "baton.pause.reason": event.data.reason },
      };
    default:
      return undefined;
  }
}

function describeFailure(
  { code, message }: { readonly code: string; readonly message: string },
  attributes: Attributes = {},
) {
  if (code === "cancelled") return { status: "cancelled" as const, attributes };
  return { status: "failed" as const, attributes, problem: { type: code, message } };
}

function listReplyAttributes(reply: EventData["model.completed"]): Attributes {
  const { finish, msToFirstToken, tokensPerSecond, responseModel } = reply;
  return {
    "gen_ai.response.finish_reasons": [finishReason(finish)],
    ...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
    ...(msToFirstToken !== undefined && { "gen_ai.response.time_to_first_chunk": msToFirstToken / 1000 }),
    ...(tokensPerSecond !== undefined && { "baton.tokens_per_second": tokensPerSecond }),
    ...listBillAttributes(reply),
  };
}

function listBillAttributes({ usage, costUsd }: Bill): Attributes {
  return {
    ...(usage !== undefined && {
      "gen_ai.usage.input_tokens": usage.input,
      "gen_ai.usage.output_tokens": usage.output,
      "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
      "gen_ai.usage.cache_creation.input_tokens": usage.cacheWrite,
      "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
    }),
    // Not part of the conventions, but backends read it. An unknown cost is left out.
    ...(costUsd !== undefined && { "baton.cost_usd": costUsd, "gen_ai.usage.cost": costUsd }),
  };
}
