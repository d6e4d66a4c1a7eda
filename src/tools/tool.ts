import type { ToolEffect } from "../vocabulary/crew.ts";
import type { PauseTimeout } from "../vocabulary/pause.ts";

/** Something that an agent's model may call. */
export interface Tool<Name extends string = string, Context extends object = Readonly<Record<string, unknown>>> {
  readonly name: Name;
  readonly description: string;
  /** A JSON Schema of the arguments, shown to the model. */
  readonly parameters: unknown;
  /** Returns the arguments as the tool takes them, or what is wrong with them. */
  read(args: unknown): Promise<ToolArguments> | ToolArguments;
  execute(args: unknown, context: ToolContext<Context>): unknown;
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

/** Arguments as a tool takes them, or what is wrong with them. */
export type ToolArguments = { readonly value: unknown } | { readonly problem: string };

/** What a tool or function is told of its call and of the run, besides its input. */
export interface ToolContext<Context extends object = Readonly<Record<string, unknown>>> {
  /** Aborted when the call is given up: it took too long, or the run was cancelled. */
  readonly signal: AbortSignal;
  readonly runId: string;
  /** The place of the call in the run, which is the `path` of its events. */
  readonly callId: string;
  /**
   * The same for every attempt at this call, also after a crash, and different for every other call. Give it to services that take
   * such a key, so that they do nothing twice.
   */
  readonly idempotencyKey: string;
  /** The agent that calls. */
  readonly agent: string;
  /** The crew of that agent: the name of the run's own crew, or the place of a sub-crew, such as `lab` or `lab/meter`. */
  readonly crew: string;
  /** The id of the conversation that the run belongs to, if it belongs to one. */
  readonly conversation: string | undefined;
  /** For whom the run was started: the option `user` of `start`. */
  readonly user: string | undefined;
  /** The number of this attempt at the call, from 1. It is more than 1 after a crash in the middle of the call. */
  readonly attempt: number;
  /**
   * Grows each time a process takes the run. A service that remembers the highest epoch of a run and refuses calls with a lower
   * one is safe from a process that was suspended and wakes up late.
   */
  readonly epoch: number;
  /** The variables of the run, which stand for `{{name}}` in prompts. */
  readonly variables: Readonly<Record<string, string>>;
  /** What `loadCrew` or `defineCrew` and `start` were given as `context`. No model and no journal sees it. */
  readonly context: Context;
}
