import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { REMOTE } from "./accounts.ts";
import { type Figures, Tally } from "./figures.ts";
import { measureSpeed, type Speed } from "./measure-speed.ts";

/** The figures of one agent's calls of one model, and how fast they were. */
export interface Spending extends Speed {
  readonly agent: string;
  readonly model: string;
  readonly figures: Figures;
  /** Failed attempts, whether they were retried or not. */
  readonly failed: number;
}

interface Row extends Pick<Spending, "agent" | "model"> {
  readonly figures: Tally;
  failed: number;
  readonly replies: EventData["model.completed"][];
}

/** The model that was called, or that a remote agent was; undefined for events that cost nothing. */
function findPayee(event: BatonEvent): string | undefined {
  switch (event.type) {
    case "model.completed":
    case "model.failed":
      return event.data.model;
    case "function.completed":
      return event.data.remote === undefined ? undefined : REMOTE;
    case "function.failed":
      return event.data.isRemote === true ? REMOTE : undefined;
    default:
      return undefined;
  }
}

/**
 * Lists what a run spent by agent and model, the most expensive first. Entries of unknown cost come before all others, since
 * they may cost more.
 */
export function listSpending(events: readonly BatonEvent[]): Spending[] {
  const rows = new Map<string, Row>();
  for (const event of events) {
    const model = findPayee(event);
    if (model === undefined) continue;
    const agent = nameSpeaker(event);
    const key = JSON.stringify([agent, model]);
    const row = rows.get(key) ?? { agent, model, figures: new Tally(), failed: 0, replies: [] };
    rows.set(key, row);
    row.figures.count(event);
    if (event.type === "model.completed") row.replies.push(event.data);
    else if (event.type !== "function.completed") row.failed++;
  }
  const usd = ({ figures }: Spending) => figures.cost.usd ?? Number.MAX_VALUE;
  return [...rows.values()]
    .map(({ replies, ...row }) => ({ ...row, ...measureSpeed(replies) }))
    .sort((a, b) => usd(b) - usd(a) || (b.figures.usage.total ?? 0) - (a.figures.usage.total ?? 0));
}
