import type { ValueOf } from "../definition/shape.ts";
import { readToolCall } from "../models/read-tool-call.ts";
import type { Script, ScriptedReply } from "../models/script-model.ts";
import type { Usage } from "../vocabulary/bill.ts";
import type { ToolCall } from "../vocabulary/messages.ts";
import type { scriptShape } from "./script-shape.ts";

export type ScriptKeys = ValueOf<typeof scriptShape>;
type ReplyKeys = ScriptKeys extends ReadonlyMap<string, readonly (infer Reply)[]> ? Reply : never;

/** Builds the script for models from the replies of a scenario. */
export function buildScript(keys: ScriptKeys | undefined): Script {
  const replies = [...(keys ?? [])].map(([agent, each]) => [agent, each.map(buildReply)] as const);
  return { replies: Object.fromEntries(replies) };
}

function buildReply(keys: ReplyKeys): ScriptedReply {
  if (typeof keys === "string") return buildReply({ ...nothing, text: keys });
  const { error } = keys;
  return {
    text: keys.text ?? "",
    reasoning: keys.reasoning,
    toolCalls: (keys.tools ?? []).map(({ name, args }) => buildToolCall(name ?? "", args)),
    finish: keys.finish,
    usage: buildUsage(keys.usage),
    latencyMs: keys.latency_ms ?? 0,
    error: error && {
      status: error.status,
      message: error.message ?? `status ${error.status}`,
      retryAfterMs: error.retry_after === undefined ? undefined : error.retry_after * 1000,
    },
  };
}

const nothing: Exclude<ReplyKeys, string> = {
  text: undefined,
  reasoning: undefined,
  tools: undefined,
  finish: undefined,
  usage: undefined,
  latency_ms: undefined,
  error: undefined,
};

/** Arguments that are text are the raw text that a model sent. */
function buildToolCall(name: string, args: unknown): ToolCall {
  return typeof args === "string" ? readToolCall(name, args) : { name, args: args ?? {} };
}

function buildUsage(keys: Exclude<ReplyKeys, string>["usage"]): Usage {
  const [input, output] = [keys?.input ?? 0, keys?.output ?? 0];
  return {
    input,
    output,
    cacheRead: keys?.cache_read ?? 0,
    cacheWrite: keys?.cache_write ?? 0,
    reasoning: keys?.reasoning ?? 0,
    total: keys?.total ?? input + output,
  };
}
