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

const none: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };

/** Figures that grow with every call. */
export class Tally implements Figures {
  /** Whether the tokens of a call are known. Tokens of answers that were not counted stay unknown for good. */
  #knows: "nothing" | "something" | "not all" = "nothing";
  calls = 0;
  readonly usage: Writable<UsageSum> = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };
  readonly cost: Writable<Cost> = { usd: 0, unknownCalls: 0 };

  /** Counts events that end a call and ignores all others. */
  count(event: BatonEvent): this {
    if (event.type === "model.completed") this.#addCall(event.data);
    else if (event.type === "model.failed") this.#addFailedCall(event.data);
    else if (event.type === "function.completed" || event.type === "function.failed") this.#addRemote(event);
    return this;
  }

  #addCall(call: Bill): void {
    this.calls++;
    this.#pay(call);
    if (call.usage === undefined) this.#loseCount("not all");
  }

  /** What a remote agent costs is unknown, unless it says so; its questions are part of what its answer costs. */
  #addRemote(event: BatonEvent): void {
    if (event.type === "function.failed" && event.data.isRemote === true) this.#pay({});
    if (event.type !== "function.completed" || event.data.remote === undefined) return;
    if (event.data.remote.asks === undefined) this.#pay(event.data.remote);
  }

  /** A call that the provider refused costs nothing. */
  #addFailedCall(failure: EventData["model.failed"]): void {
    if (failure.usage === undefined && !isCostUnknown(failure.code)) this.#use(none);
    else {
      this.#pay(failure);
      // Sums leave out what a failed attempt may have used, unless there is nothing else to add up.
      if (failure.usage === undefined && this.#knows === "nothing") this.#loseCount("nothing");
    }
  }

  #pay({ usage, costUsd }: Bill): void {
    const { cost } = this;
    if (costUsd === undefined) cost.unknownCalls++;
    cost.usd = cost.usd === null || costUsd === undefined ? null : addUsd(cost.usd, costUsd);
    if (usage !== undefined) this.#use(usage);
  }

  #use(used: Usage): void {
    const { usage } = this;
    if (this.#knows === "not all") return;
    this.#knows = "something";
    // Written out, because this runs for every call, and a loop over the kinds would cost more than the call's own event.
    usage.input = (usage.input ?? 0) + used.input;
    usage.output = (usage.output ?? 0) + used.output;
    usage.cacheRead = (usage.cacheRead ?? 0) + used.cacheRead;
    usage.cacheWrite = (usage.cacheWrite ?? 0) + used.cacheWrite;
    usage.reasoning = (usage.reasoning ?? 0) + used.reasoning;
    usage.total = (usage.total ?? 0) + used.total;
  }

  #loseCount(knows: "nothing" | "not all"): void {
    this.#knows = knows;
    for (const kind of kinds) this.usage[kind] = null;
  }
}
