import { ModelError, type ModelReply } from "../models/model.ts";
import type { Usage } from "../vocabulary/bill.ts";
import { findJsonProblem } from "../vocabulary/find-json-problem.ts";
import type { ProviderMetadata, ToolCall } from "../vocabulary/messages.ts";
import { isTooDeep } from "./bound-calls.ts";

type Given = { readonly [Key in keyof ModelReply]?: unknown };

const finishes: ReadonlySet<unknown> = new Set<ModelReply["finish"]>([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
]);
const kinds = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "reasoning",
  "total",
] as const satisfies readonly (keyof Usage)[];

/** Models may be anybody's code: what is not a reply is a failure of theirs, and said so. */
export function checkForm(reply: Given | null | undefined): void {
  const isReply = typeof reply?.text === "string" && Array.isArray(reply.toolCalls) && typeof reply.finish === "string";
  if (!isReply) refuse("gave no reply: it must have a text, toolCalls and finish");
  const problem = findProblem(reply);
  if (problem !== undefined) refuse(`gave a reply that cannot be used: ${problem}`);
}

function refuse(message: string): never {
  throw new ModelError(message, { isRetryable: false, code: "bad_reply" });
}

function findProblem(reply: Given): string | undefined {
  if (!finishes.has(reply.finish)) return `'finish' must be ${[...finishes].join(", ")}; got '${reply.finish}'`;
  const { reasoning, responseModel, ms, msToFirstToken, usage, toolCalls, providerMetadata } = reply;
  return (
    textProblem("reasoning", reasoning) ??
    textProblem("responseModel", responseModel) ??
    amountProblem("ms", ms) ??
    amountProblem("msToFirstToken", msToFirstToken) ??
    usageProblem(usage) ??
    // That is an array, as was seen.
    callsProblem(toolCalls as readonly unknown[]) ??
    findMetadataProblem(providerMetadata)
  );
}

function textProblem(key: string, value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? undefined : `'${key}' must be text`;
}

function amountProblem(key: string, value: unknown): string | undefined {
  return value === undefined || isAmount(value) ? undefined : `'${key}' must be a number of 0 or more`;
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function usageProblem(usage: unknown): string | undefined {
  if (usage === undefined) return undefined;
  if (typeof usage !== "object" || usage === null)
    return `'usage' must have ${kinds.join(", ")}; leave it out where it is unknown`;
  const amounts = usage as { readonly [Kind in keyof Usage]?: unknown };
  // Almost always: reading known keys one by one is several times faster than a loop over them.
  const { input, output, cacheRead, cacheWrite, reasoning, total } = amounts;
  const areCounted = isAmount(input) && isAmount(output) && isAmount(total);
  if (areCounted && isAmount(cacheRead) && isAmount(cacheWrite) && isAmount(reasoning)) return undefined;
  for (const kind of kinds)
    if (!isAmount(amounts[kind]))
      return `'usage.${kind}' must be a number of 0 or more; leave 'usage' out where it is unknown`;
  return undefined;
}

function callsProblem(calls: readonly Partial<ToolCall>[] | readonly unknown[]): string | undefined {
  if (calls.length === 0) return undefined;
  for (const [index, call] of calls.entries()) {
    const isCall = typeof call === "object" && call !== null && typeof Reflect.get(call, "name") === "string";
    if (!isCall) return `'toolCalls[${index}]' must have a name and args`;
    const args: unknown = Reflect.get(call, "args");
    // The model is told of arguments that are nested too deep, and gets another turn.
    const problem = isTooDeep(args) ? undefined : findJsonProblem(args, `toolCalls[${index}].args`);
    if (problem !== undefined) return `${problem}, which is not JSON`;
  }
  return undefined;
}

function findMetadataProblem(providerMetadata: unknown): string | undefined {
  if (providerMetadata === undefined) return undefined;
  const { model, reasoning, calls } = (providerMetadata ?? {}) as {
    readonly [Key in keyof ProviderMetadata]?: unknown;
  };
  const hasItsKeys = typeof model === "string" && Array.isArray(reasoning) && Array.isArray(calls);
  if (!hasItsKeys || !reasoning.every((part: unknown) => hasText(part)))
    return "'providerMetadata' must have model, reasoning and calls";
  const problem = findJsonProblem(providerMetadata, "providerMetadata");
  return problem && `${problem}, which is not JSON`;
}

function hasText(part: unknown): boolean {
  return typeof part === "object" && part !== null && typeof Reflect.get(part, "text") === "string";
}
