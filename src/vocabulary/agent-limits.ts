/** How a model is to choose its words. What is undefined is not sent to the provider. */
export interface Sampling {
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly reasoning: string | number | undefined;
}

/** How far an agent may go, and how long each of its calls may take. */
export interface AgentLimits {
  readonly maxTurns: number;
  readonly maxToolCallsPerTurn: number;
  /** Absent where the crew's limit applies. */
  readonly maxToolOutputChars?: number | undefined;
  readonly maxRetries: number;
  readonly llmTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly advisorTimeoutMs: number;
}
