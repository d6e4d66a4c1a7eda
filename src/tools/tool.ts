import type { ToolEffect } from "../vocabulary/crew.ts";
import type { PauseTimeout } from "../vocabulary/pause.ts";

/** Something that an agent's model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments, shown to the model. */
  readonly parameters: unknown;
  /** Returns the arguments as the tool takes them, or what is wrong with them. */
  read(args: unknown): Promise<ToolArguments> | ToolArguments;
  execute(args: unknown, context: ToolContext): unknown;
  readonly timeoutMs: number | undefined;
  readonly effect: ToolEffect;
  /** It does not run at the same time as other calls of the same turn. */
  readonly isSequential: boolean;
  readonly needsApproval: boolean;
  /** How long to wait for the approval, and what to decide then. */
  readonly pauseTimeout?: PauseTimeout | undefined;
  /** A hash of the tool as its MCP server describes it. */
  readonly pin?: string | undefined;
}

export type ToolArguments = { readonly value: unknown } | { readonly problem: string };

export interface ToolContext {
  readonly signal: AbortSignal;
  readonly runId: string;
  /**
   * Grows each time a process takes the run. A service that remembers the highest epoch of a run and refuses calls with a lower
   * one is safe from a process that was suspended and wakes up late.
   */
  readonly epoch: number;
}
