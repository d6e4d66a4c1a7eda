import type { Quota } from "../../vocabulary/quota.ts";
import type { Measure } from "./measure.ts";

/** The most that quotas of a run let pass of a figure. Those of a day, those that only warn, and those that a human may raise let more pass. */
export function capOfQuotas(quotas: readonly Quota[], { figure }: Pick<Measure, "figure">): number {
  const caps = quotas.flatMap((quota) => {
    const cap = isHard(quota) ? findCap(quota, figure) : undefined;
    return cap ?? [];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...caps);
}

export function isHard({ per, onExceed }: Quota): boolean {
  return per === "run" && (onExceed === "stop" || onExceed === "degrade");
}

export function findCap(quota: Quota, figure: Measure["figure"]): number | undefined {
  switch (figure) {
    case "modelCalls":
      return quota.maxLlmCalls;
    case "toolCalls":
    case "compositions":
      return quota.maxToolCalls;
    case "inputTokens":
    case "outputTokens":
      return quota.maxTokens;
    case "costUsd":
      return quota.maxCostUsd;
    case "handoffs":
    case "allHandoffs":
    case "rounds":
    case "seconds":
      return undefined;
  }
}
