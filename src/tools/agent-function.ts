import type { Bill } from "../vocabulary/bill.ts";
import type { ToolEffect } from "../vocabulary/crew.ts";
import type { RemoteIds, RemoteQuestion } from "../vocabulary/remote.ts";
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
  /** What a remote agent is told by. */
  readonly remote?: RemoteIds | undefined;
}

/** A function that is ready to be called: the agent's own, or a script that stands in for it. */
export interface CallableFunction {
  readonly effect: ToolEffect;
  /**
   * For an agent of another system, which may answer, ask something, or be lost: what it is told by, made of the idempotency key of the
   * call. The key itself is not for others.
   */
  readonly nameRemote?: ((key: string) => RemoteIds) | undefined;
  /** The name that calls are counted under, if that is not the agent's. */
  findKey?(agent: string, crew: string): string;
  call(request: FunctionRequest, context: ToolContext): unknown;
}

/** What came of saying something to a remote agent. */
export type RemoteOutcome =
  | ({ readonly type: "answer"; readonly text: string; readonly taskId?: string } & Pick<Bill, "usage" | "costUsd">)
  | ({ readonly type: "asks"; readonly taskId: string } & RemoteQuestion)
  /** A crash came in between, and the peer cannot say what it was told. */
  | { readonly type: "unclear"; readonly why: string };

/** The same as a value of its own, so that no JSON of a function is taken for it. */
export class RemoteReply {
  readonly outcome: RemoteOutcome;

  constructor(outcome: RemoteOutcome) {
    this.outcome = outcome;
  }
}
