import { fields, optional, withDefault } from "./fields.ts";
import { flag, integer, number } from "./scalar-shapes.ts";
import { choice, list, spelled } from "./shape.ts";

const quota = fields({
  max_cost_usd: optional(number({ min: 0 }), "dollars that may be spent"),
  max_tokens: optional(integer({ min: 0 }), "tokens that may be used, input and output together"),
  max_llm_calls: optional(integer({ min: 0 }), "model calls that may be made"),
  max_tool_calls: optional(integer({ min: 0 }), "tool calls that may be made"),
  max_calls_per_minute: optional(integer({ min: 1 }), "model calls that may be made within a minute"),
  alert_threshold: optional(
    number({ min: 0, max: 1 }),
    "share of a cap at which the event quota.warning is emitted; 0.8 when absent",
  ),
  on_exceed: withDefault(
    choice("stop", "pause", "degrade", "warn"),
    "stop",
    "what happens to a call that no longer fits",
  ),
  per: withDefault(
    choice("run", "day"),
    "run",
    "what the caps count over: a run or a day, whose figures are in the store",
  ),
});

/** One quota, or several: a run's and a day's. */
export const quotasShape = spelled(quota, list(quota));

export const costLimitsShape = fields({
  max_tokens_per_call: optional(integer({ min: 1 }), "tokens that one model call may use"),
  max_tokens_per_day: optional(integer({ min: 0 }), "tokens that may be used in a day"),
  max_cost_per_day_usd: optional(number({ min: 0 }), "dollars that may be spent in a day"),
  alert_threshold: withDefault(
    number({ min: 0, max: 1 }),
    0.8,
    "share of a cap at which the event quota.warning is emitted",
  ),
  block_on_cost_exceed: withDefault(
    flag,
    false,
    "true stops a call that no longer fits; without it the run is only warned",
  ),
  input_token_price_per_million: optional(
    number({ min: 0 }),
    "this agent's own price of a million input tokens, in dollars",
  ),
  output_token_price_per_million: optional(
    number({ min: 0 }),
    "this agent's own price of a million output tokens, in dollars",
  ),
});
