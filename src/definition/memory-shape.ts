import type { AgentMemory } from "../vocabulary/memory-keys.ts";
import { fields, optional, required, withDefault } from "./fields.ts";
import { duration, integer, word } from "./scalar-shapes.ts";
import { choice, type ValueOf } from "./shape.ts";

export const memoryShape = fields({
  scope: required(word, "whose memory it is: `user`, `crew`, or the name of a variable of the run"),
  recall: withDefault(
    choice("auto", "tool", "both"),
    "both",
    "whether the best entries stand before the input (auto), the agent looks them up (tool), or both",
  ),
  top: withDefault(integer({ min: 1, max: 50 }), 6, "how many entries are recalled"),
  embed: optional(
    word,
    "a model that turns texts into vectors, such as `openai/text-embedding-3-small`; only words count when absent",
  ),
  max_entries: withDefault(
    integer({ min: 1, max: 1_000_000 }),
    10_000,
    "how many entries a scope has; the oldest make room",
  ),
  max_age: optional(duration, "how long an entry can be recalled, such as `365d`; for ever when absent"),
});

export function buildMemory(keys: ValueOf<typeof memoryShape> | undefined): AgentMemory | undefined {
  if (keys?.scope === undefined) return undefined;
  const { scope, recall, top, embed, max_entries: maxEntries, max_age: maxAgeMs } = keys;
  return { scope, recall, top, embed, maxEntries, maxAgeMs };
}
