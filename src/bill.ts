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
