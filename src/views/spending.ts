import type { BatonEvent } from "../events.ts";
import { speakerOf } from "../speaker-of.ts";
import { addCall, addFailedCall, type Figures, noFigures } from "./figures.ts";

/** What one agent's calls of one model took. */
export interface Spending {
  readonly agent: string;
  readonly model: string;
  readonly figures: Figures;
}

/** What a run took, by agent and model; the dearest first, and before them what may be dearer, since nobody knows. */
export function spendingOf(events: readonly BatonEvent[]): Spending[] {
  const rows = new Map<string, Spending>();
  for (const event of events) {
    if (event.type !== "model.completed" && event.type !== "model.failed") continue;
    const { model } = event.data;
    const agent = speakerOf(event);
    const key = JSON.stringify([agent, model]);
    const { figures } = rows.get(key) ?? { figures: noFigures };
    const added = event.type === "model.completed" ? addCall(figures, event.data) : addFailedCall(figures, event.data);
    if (added !== noFigures) rows.set(key, { agent, model, figures: added });
  }
  const usd = ({ figures }: Spending) => figures.cost.usd ?? Number.MAX_VALUE;
  return [...rows.values()].sort((a, b) => usd(b) - usd(a) || b.figures.usage.total - a.figures.usage.total);
}
