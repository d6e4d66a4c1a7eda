/** A cap of a quota, and how it stands. */
export interface QuotaFacts {
  /** The cap's key, such as `max_cost_usd`. */
  readonly quota: string;
  readonly level: "run" | "crew" | "agent";
  /** The crew or agent whose quota it is. */
  readonly of: string;
  readonly per: "run" | "day";
  readonly limit: number;
  readonly used: number;
  /** What calls under way may still take. */
  readonly reserved: number;
  /** What the next call may take; null where its price is unknown. */
  readonly wanted: number | null;
}
