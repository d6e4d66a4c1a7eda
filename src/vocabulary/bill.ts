/** Tokens of one call, or of many. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly total: number;
}

/** Tokens of many calls. They are unknown as soon as those of one call are. */
export type UsageSum = { readonly [Kind in keyof Usage]: number | null };

/** What the provider counted for a call, also a failed one, and what it cost. */
export interface Bill {
  readonly usage?: Usage;
  /** Present if the price and the tokens are known. */
  readonly costUsd?: number;
  /** The source of the price: the agent's own, or the entry of a table. */
  readonly price?: string;
}

/** Prices have at most six decimals per million tokens, so a call costs a whole number of these parts. */
const PARTS_OF_A_DOLLAR = 1e12;

/** Removes the errors of binary fractions: $0.000615 instead of $0.0006149999999999999. */
export function roundUsd(usd: number): number {
  // Above the largest exact integer, only fifteen digits are certain.
  const isExact = Math.abs(usd) * PARTS_OF_A_DOLLAR <= Number.MAX_SAFE_INTEGER;
  return isExact ? Math.round(usd * PARTS_OF_A_DOLLAR) / PARTS_OF_A_DOLLAR : Number(usd.toPrecision(15));
}

/** Adds two amounts exactly, so that a total is the sum of its parts in any order. */
export function addUsd(a: number, b: number): number {
  return roundUsd(a + b);
}

const givenUp: ReadonlySet<string> = new Set([
  "timeout",
  "cancelled",
  "incomplete",
  "lost",
  "empty",
  "filtered",
  "too_large",
  "bad_reply",
]);

/**
 * Whether the cost is unknown after this failure, because the call was sent and then given up, interrupted or answered with an
 * invalid reply.
 */
export function isCostUnknown(code: string): boolean {
  return givenUp.has(code);
}
