/** The prices of an agent's own models, which come before those of the table. */
export interface Prices {
  readonly inputPerMillionUsd: number | undefined;
  readonly outputPerMillionUsd: number | undefined;
}

/** The caps on what a run, a crew or an agent may use, and what happens at a cap. */
export interface Quota {
  readonly per: "run" | "day";
  readonly maxCostUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly maxTokensPerCall: number | undefined;
  readonly maxLlmCalls: number | undefined;
  readonly maxToolCalls: number | undefined;
  readonly maxCallsPerMinute: number | undefined;
  readonly maxCallsPerHour: number | undefined;
  readonly alertThreshold: number;
  readonly onExceed: "stop" | "pause" | "degrade" | "warn";
}
