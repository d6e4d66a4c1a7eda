/** What a provider wants back, unread, with the next request of the same conversation: signed reasoning, marks on calls. */
export interface Carried {
  /** The model that gave it, and alone understands it. */
  readonly model: string;
  readonly reasoning: readonly { readonly text: string; readonly marks: unknown }[];
  /** For each tool call, in order; null where there is nothing. */
  readonly calls: readonly unknown[];
}

/** A tool call as the model asked for it; arguments that were no JSON are kept as text. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  /** The raw argument text, where it could not be read. */
  readonly malformed?: string;
}

/** What decides when a tool is called; what it takes, as a hash. */
export interface ToolFacts {
  readonly effect: "read" | "idempotent" | "once";
  readonly schema: string;
  readonly isSequential?: true;
  readonly needsApproval?: true;
}
