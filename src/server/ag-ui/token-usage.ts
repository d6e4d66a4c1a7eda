import type { TokenUsage } from "@ag-ui/core";
import type { BatonEvent } from "../../vocabulary/events.ts";

/** The tokens of each model, as far as they were counted. */
export function listUsage(events: readonly BatonEvent[]): TokenUsage[] {
  const byModel = new Map<string, Required<Omit<TokenUsage, "provider" | "model">>>();
  for (const event of events) {
    if (event.type !== "model.completed" && event.type !== "model.failed") continue;
    const { model, usage } = event.data;
    if (usage === undefined) continue;
    const sum = byModel.get(model) ?? {
      ...{ inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      ...{ reasoningTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
    };
    byModel.set(model, {
      inputTokens: sum.inputTokens + usage.input,
      outputTokens: sum.outputTokens + usage.output,
      totalTokens: sum.totalTokens + usage.input + usage.output,
      reasoningTokens: sum.reasoningTokens + usage.reasoning,
      cachedInputTokens: sum.cachedInputTokens + usage.cacheRead,
      cacheWriteInputTokens: sum.cacheWriteInputTokens + usage.cacheWrite,
    });
  }
  return [...byModel].map(([model, counts]) => ({ model, ...counts }));
}
