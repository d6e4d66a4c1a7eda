import type { ToolEffect } from "../vocabulary/crew.ts";
import type { ToolContext } from "./tool.ts";

/**
 * The function of an agent without a model. It returns the agent's answer: text, perhaps with a signal, or JSON. Its second parameter
 * may say what it needs of the context: `ToolContext<{ db: Database }>`.
 */
export type AgentFunction = {
  // The parameters of methods may be narrower than declared, which those of functions may not.
  call(input: string, context: ToolContext): string | object | Promise<string | object>;
}["call"];

/** One call of such a function. */
export interface FunctionRequest {
  readonly input: string;
  readonly agent: string;
  readonly crew: string;
  /** How often the run has called it, this time included. */
  readonly calls: number;
}

/** A function that is ready to be called: the agent's own, or a script that stands in for it. */
export interface CallableFunction {
  readonly effect: ToolEffect;
  /** The name that calls are counted under, if that is not the agent's. */
  findKey?(agent: string, crew: string): string;
  call(request: FunctionRequest, context: ToolContext): unknown;
}
