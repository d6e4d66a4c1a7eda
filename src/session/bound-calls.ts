import type { ToolCall } from "../vocabulary/messages.ts";

const MAX_DEPTH = 100;

/** Calls whose arguments are nested deeper than anybody means and any JSON writer goes count as malformed. */
export function boundCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  if (!calls.some(({ args }) => isTooDeep(args))) return calls;
  const malformed = `nested more than ${MAX_DEPTH} deep`;
  return calls.map((call) => (isTooDeep(call.args) ? { name: call.name, args: {}, malformed } : call));
}

/** Worked off level by level, so that no depth is too deep for the question itself. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
