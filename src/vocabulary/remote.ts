import type { Usage } from "./bill.ts";
import type { PauseReason } from "./pause.ts";

/** What a remote agent is told by, so that what was begun is found again after a crash. */
export interface RemoteIds {
  readonly contextId: string;
  readonly messageId: string;
  /** The task that the message answers. */
  readonly taskId?: string;
}

/** A question of a remote agent. */
export interface RemoteQuestion {
  readonly reason: PauseReason;
  readonly prompt: string;
  readonly options: readonly string[];
}

/** What came of telling a remote agent something, beside the text of its answer. What is not told of its cost is unknown. */
export interface RemoteResult {
  readonly taskId?: string;
  /** It asks something before it can answer. */
  readonly asks?: RemoteQuestion;
  readonly usage?: Usage;
  readonly costUsd?: number;
}

/** An agent of another system, which is called by A2A. */
export interface RemoteAgent {
  /** The address of its card. */
  readonly card: string;
  /** The environment variable with the token that it is called with. */
  readonly tokenEnv: string | undefined;
}

/** Why a function gave nothing. */
export interface FunctionFailure {
  readonly code: "tool_failed" | "timeout" | "cancelled";
  readonly message: string;
  /** Whether it was a remote agent, whose cost is unknown then. */
  readonly isRemote?: true;
}
