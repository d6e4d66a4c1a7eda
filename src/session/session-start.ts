import type { History } from "../context/history.ts";
import type { Model } from "../models/model.ts";
import type { Budget } from "../run/budget.ts";
import type { Clock } from "../run/clock.ts";
import type { DayTotals } from "../run/day-totals.ts";
import type { Run } from "../run/run.ts";
import type { Agent, Settings } from "../vocabulary/crew.ts";
import type { ToolCall } from "../vocabulary/messages.ts";
import type { AnswerListener } from "./open-request.ts";
import type { ReadAround } from "./read-answer.ts";
import type { Session } from "./run-session.ts";
import type { SessionTool } from "./session-tool.ts";

/** What a session is opened with. */
export interface SessionStart {
  readonly agent: Agent;
  /** What the agent sees of what was said before. */
  readonly history: History | undefined;
  readonly tools: readonly SessionTool[];
  readonly models: readonly Model[];
  readonly settings: Settings;
  readonly run: Run;
  readonly clock: Clock;
  /** What the session's calls count in, where there are quotas. */
  readonly budget: Budget | undefined;
  readonly dayTotals: DayTotals | undefined;
  /** Turns in all; the agent's own limit where absent. */
  readonly maxTurns?: number | undefined;
  /** Whether it may have nothing to say; anybody else who says nothing has not answered. */
  readonly mayBeSilent?: boolean | undefined;
  /** Whether it may only speak by the tools it is brought, so that `final_report` is not offered. */
  readonly isReportless?: boolean | undefined;
  /** What others have said since, told before the agent's next turn. */
  readonly news?: ((session: Session) => string | undefined) | undefined;
  /** Finds the calls that an agent whose model has no tools may write in its answer; undefined where there are none. */
  readonly callsIn?: ((text: string) => WrittenCalls | undefined) | undefined;
  /** Finds what may stand beside JSON in an answer. */
  readonly around?: ((text: string) => ReadAround) | undefined;
  readonly listener?: AnswerListener | undefined;
}

export interface WrittenCalls {
  /** What else the agent said. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}
