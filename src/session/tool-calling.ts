import type { Budget } from "../run/budget.ts";
import type { Clock } from "../run/clock.ts";
import type { DayTotals } from "../run/day-totals.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import type { Agent, Settings } from "../vocabulary/crew.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import type { CallingReply, SessionTool } from "./session-tool.ts";

export interface ToolCalling {
  readonly run: Run;
  readonly clock: Clock;
  readonly scope: Scope;
  /** The turn's place; each call has a place of its own below it. */
  readonly place: EventPlace;
  readonly agent: Agent;
  readonly settings: Settings;
  readonly tools: readonly SessionTool[];
  readonly allTools: readonly SessionTool[];
  readonly reply: CallingReply;
  /** What the calls count in, where there are quotas. */
  readonly budget: Budget | undefined;
  readonly dayTotals: DayTotals | undefined;
}
