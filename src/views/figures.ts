import { addUsd, type Bill, isCostUnknown, type Usage, type UsageSum } from "../vocabulary/bill.ts";
import type { BatonEvent, EventData } from "../vocabulary/events.ts";

/** The number of model calls, their tokens and their cost. */
export interface Figures {
  readonly calls: number;
  readonly usage: UsageSum;
  readonly cost: Cost;
}

/** `usd` is null as soon as the cost of one call is unknown. */
export interface Cost {
  readonly usd: number | null;
  readonly unknownCalls: number;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const kinds = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "total"] as const;

/** Figures that grow with every call. */
export class Tally implements Figures {
  calls = 0;
  readonly usage: Writable<UsageSum> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };
  readonly cost: Writable<Cost> = { usd: 0, unknownCalls: 0 };

  /** Counts events that end a call and ignores all others. */
  count(event: BatonEvent): this {
    if (event.type === "model.completed") this.#addCall(event.data);
    else if (event.type === "model.failed") this.#addFailedCall(event.data);
    return this;
  }

  #addCall(call: Bill): void {
    this.calls++;
    this.#pay(call);
    if (call.usage === undefined) this.#loseCount();
  }

  /** A call that the provider refused costs nothing. */
  #addFailedCall(failure: EventData["model.failed"]): void {
    if (failure.usage !== undefined || isCostUnknown(failure.code)) this.#pay(failure);
  }

  #pay({ usage, costUsd }: Bill): void {
    const { cost } = this;
    if (costUsd === undefined) cost.unknownCalls++;
    cost.usd = cost.usd === null || costUsd === undefined ? null : addUsd(cost.usd, costUsd);
    if (usage !== undefined) this.#use(usage);
  }

  #use(used: Usage): void {
    const { usage } = this;
    if (usage.total === null) return;
    // Written out, because this runs for every call, and a loop over the kinds would cost more than the call's own event.
    usage.input = (usage.input ?? 0) + used.input;
    usage.output = (usage.output ?? 0) + used.output;
    usage.cacheRead = (usage.cacheRead ?? 0) + used.cacheRead;
    usage.cacheWrite = (usage.cacheWrite ?? 0) + used.cacheWrite;
    usage.reasoning = (usage.reasoning ?? 0) + used.reasoning;
    usage.total += used.total;
  }

  /** A complete answer without token counts makes the sums unknown. A failed attempt makes only the cost unknown. */
  #loseCount(): void {
    for (const kind of kinds) this.usage[kind] = null;
  }
}
