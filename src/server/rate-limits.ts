import { Refusal } from "./problem.ts";
import type { Token } from "./token.ts";

const MINUTE_MS = 60_000;

/** Counts requests of tokens within the last minute. */
export class RateLimits {
  readonly #times = new Map<string, number[]>();

  /** Counts a request, or refuses it. */
  take({ name, requestsPerMinute }: Token, now: number): void {
    if (requestsPerMinute === undefined) return;
    const times = (this.#times.get(name) ?? []).filter((time) => now - time < MINUTE_MS);
    this.#times.set(name, times);
    const [oldest = now] = times;
    if (times.length >= requestsPerMinute)
      throw new Refusal("rate-limited", `token '${name}' may make ${requestsPerMinute} requests a minute`, {
        headers: { "Retry-After": String(Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000))) },
      });
    times.push(now);
  }
}
