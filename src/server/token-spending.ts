import type { Store } from "../journal/store.ts";
import { Refusal } from "./problem.ts";
import type { Token } from "./token.ts";

const KIND = "token-spending";

/** What the runs of each token cost in a day (UTC). It is stored, so that a restart forgets nothing. */
export class Spending {
  readonly #store: Pick<Store, "get" | "put">;

  constructor(store: Pick<Store, "get" | "put">) {
    this.#store = store;
  }

  /** Refuses a token whose runs have cost what they may cost today. */
  async check({ name, maxCostUsdPerDay }: Token, now: number): Promise<void> {
    if (maxCostUsdPerDay === undefined) return;
    const spent = readUsd((await this.#store.get(KIND, keyOf(name, now)))?.value);
    if (spent < maxCostUsdPerDay) return;
    const untilMidnight = Math.ceil((86_400_000 - (now % 86_400_000)) / 1000);
    throw new Refusal(
      "rate-limited",
      `the runs of token '${name}' have cost $${spent} today, and may cost $${maxCostUsdPerDay}`,
      {
        headers: { "Retry-After": String(untilMidnight) },
      },
    );
  }

  async add(name: string, usd: number, now: number): Promise<void> {
    if (usd <= 0) return;
    const key = keyOf(name, now);
    for (;;) {
      const before = await this.#store.get(KIND, key);
      const after = { usd: readUsd(before?.value) + usd };
      if (await this.#store.put(KIND, key, after, before?.version ?? 0)) return;
    }
  }
}

function keyOf(name: string, now: number): string {
  return `${new Date(now).toISOString().slice(0, 10)} ${name}`;
}

function readUsd(value: unknown): number {
  return typeof value === "object" && value !== null && "usd" in value ? Number(value.usd) : 0;
}
