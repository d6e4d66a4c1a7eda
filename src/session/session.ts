import type { History } from "../context/history.ts";
import type { Model } from "../models/model.ts";
import type { Budget } from "../run/budget.ts";
import type { Clock } from "../run/clock.ts";
import type { DayTotals } from "../run/day-totals.ts";
import type { Run } from "../run/run.ts";
import type { Scope } from "../run/scope.ts";
import type { CallableFunction } from "../tools/agent-function.ts";
import type { Agent, Settings } from "../vocabulary/crew.ts";
import type { EventPlace, Failure } from "../vocabulary/events.ts";
import type { Message, ToolCall } from "../vocabulary/messages.ts";
import type { BesideJson } from "./beside-json.ts";
import type { AnswerListener } from "./open-request.ts";
import type { ExitTool, SessionTool } from "./session-tool.ts";

/** What a session is opened with. */
export interface SessionStart {
  readonly agent: Agent;
  /** What the agent sees of what was said before. */
  readonly history: History | undefined;
  readonly tools: readonly SessionTool[];
  readonly models: readonly Model[];
  /** What answers in place of a model, if the agent is a function. */
  readonly callable?: CallableFunction | undefined;
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
  /** What checks a JSON answer beyond its JSON Schema, and says what is wrong with it. */
  readonly checkOutput?: ((value: unknown) => string | undefined) | undefined;
  /** What may stand beside JSON in an answer; undefined for an agent that writes no signals. */
  readonly beside?: BesideJson | undefined;
  readonly listener?: AnswerListener | undefined;
}

export interface WrittenCalls {
  /** What else the agent said. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

/** One time that a session's agent is asked something, until it answers. */
export interface Invocation {
  /** What the agent is told; undefined if it only continues. */
  readonly input: string | undefined;
  readonly scope: Scope;
  readonly place: EventPlace;
  /** Whether the agent gets one turn, whatever its limit, and can do nothing in it but answer. */
  readonly isForced?: boolean | undefined;
}

/** How an invocation ends: always in an answer, an exit by a tool, or a failure that has a name. */
export type SessionOutcome =
  | { readonly type: "answer"; readonly text: string; readonly traffic: readonly Message[]; readonly turns: number }
  | {
      readonly type: "exit";
      readonly tool: ExitTool;
      readonly value: unknown;
      /** Of further exits that were accepted together with it. */
      readonly others: readonly unknown[];
      readonly text: string;
      readonly traffic: readonly Message[];
      readonly turns: number;
    }
  | { readonly type: "failed"; readonly failure: Failure };

/** One agent's conversation. After an answer it is frozen, until something more is said to it. */
export interface Session extends SessionStart {
  conversation: History | undefined;
  /** Taken so far. */
  turns: number;
  scope: Scope;
  place: EventPlace;
  /** What the agent said and was told by its tools in this invocation, for the crew's history. */
  traffic: Message[];
  hasRepaired: boolean;
  /** Whether a quota leaves nothing but a last turn. */
  mustFinish: boolean;
  /** Passes when guards that run beside the first call let its reply count. */
  gate: Promise<void> | undefined;
  /** Whether an answer that is cut off may be continued. */
  mayGoOn: boolean;
  /** The beginning of an answer that was cut off, with which the next reply goes on. */
  begun: string | undefined;
}
