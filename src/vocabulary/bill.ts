/** Tokens of one call, or of many. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly total: number;
}

/** Tokens of many calls: all unknown where one call's are. */
export type UsageSum = { readonly [Kind in keyof Usage]: number | null };

/** What the provider counted of a call, of one that failed too, and what that cost. */
export interface Bill {
  readonly usage?: Usage;
  /** Where the price and the tokens are known. */
  readonly costUsd?: number;
  /** Which price that was: the agent's own, or the entry of a table. */
  readonly price?: string;
}

/** Prices are given in at most six decimals for a million tokens, so that a call costs a whole number of these. */
const PARTS_OF_A_DOLLAR = 1e12;

/** Without what binary fractions leave behind: $0.000615, never $0.0006149999999999999. */
export function roundUsd(usd: number): number {
  // Beyond what integers can hold exactly, fifteen digits are all that is certain.
  const isExact = Math.abs(usd) * PARTS_OF_A_DOLLAR <= Number.MAX_SAFE_INTEGER;
  return isExact ? Math.round(usd * PARTS_OF_A_DOLLAR) / PARTS_OF_A_DOLLAR : Number(usd.toPrecision(15));
}

/** The sum of two amounts, exact to the last decimal, so that a total is the sum of its parts however it is added up. */
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

/** Whether nobody knows what the provider counted after this failure: the call was on its way, and was given up, broke off or brought what is no reply. */
export function isCostUnknown(code: string): boolean {
  return givenUp.has(code);
}
