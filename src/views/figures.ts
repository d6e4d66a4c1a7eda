import type { Bill, Usage } from "../bill.ts";
import { leavesCostUnknown } from "../cost-unknown.ts";
import type { EventData } from "../events.ts";

/** What some model calls took: their number, tokens and cost. */
export interface Figures {
  readonly calls: number;
  readonly usage: Usage;
  readonly cost: Cost;
}

/** A sum of which one part is unknown is unknown. */
export interface Cost {
  readonly usd: number | null;
  readonly unknownCalls: number;
}

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };

export const noFigures: Figures = { calls: 0, usage: noUsage, cost: { usd: 0, unknownCalls: 0 } };

/** The figures with one more call, which failed. What the provider refused costs nothing. */
export function addFailedCall(figures: Figures, failure: EventData["model.failed"]): Figures {
  if (failure.usage !== undefined) return { ...addCall(figures, failure), calls: figures.calls };
  if (!leavesCostUnknown(failure.code)) return figures;
  return { ...figures, cost: { usd: null, unknownCalls: figures.cost.unknownCalls + 1 } };
}

/** The figures with one more call, which has ended. */
export function addCall({ calls, usage, cost }: Figures, call: Bill): Figures {
  const unknownCalls = cost.unknownCalls + (call.costUsd === undefined ? 1 : 0);
  const usd = cost.usd === null || call.costUsd === undefined ? null : cost.usd + call.costUsd;
  return {
    calls: calls + 1,
    usage: call.usage === undefined ? usage : addUsage(usage, call.usage),
    cost: { usd, unknownCalls },
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
    total: a.total + b.total,
  };
}
