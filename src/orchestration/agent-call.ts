import type { Section } from "../context/frame.ts";
import type { History } from "../context/history.ts";
import type { Budget } from "../run/budget.ts";
import type { Scope } from "../run/scope.ts";
import type { Session } from "../session/session.ts";
import type { ExitTool } from "../session/session-tool.ts";
import type { Agent, Team } from "../vocabulary/crew.ts";
import type { EventPlace, Failure } from "../vocabulary/events.ts";
import type { Message } from "../vocabulary/messages.ts";
import type { OwnQuota } from "./own-quota.ts";
import type { TeamSaid } from "./patterns/team-kind.ts";
import type { FoundSignal } from "./read-signals.ts";

/** One question to one agent. */
export interface Question {
  readonly agent: Agent;
  readonly input: string;
  readonly history: History | undefined;
  readonly scope: Scope;
  readonly place: EventPlace;
  /** What the user asked for; for a sub-agent, and all that works for it, what that was called with. */
  readonly original: string;
  /** Who the agent is to those it calls: crew and agent, then the ids of calls. */
  readonly callPath: string;
  /** What the input was put together from, where another passed the work on within a call. */
  readonly given?: readonly Section[] | undefined;
  /** What the agent's calls count in besides its own quotas; those of the crew where absent. */
  readonly budget?: Budget | undefined;
  /** What an agent's own quota ends, where that is this call and not the crew's run. */
  readonly ownQuota?: OwnQuota | undefined;
  /** Whether it is called from inside another agent or a group, so that its signals do not act. */
  readonly isCalled?: boolean | undefined;
  /** Why the agent may not pass the work on, where that is limited. */
  readonly refuse?: Refuse | undefined;
  /** The team that it supervises in this, where another declares it. */
  readonly team?: Team | undefined;
  /** Whether it is only to give its answer again: its advisors and its team have been heard. */
  readonly isReminder?: boolean | undefined;
  /** Whether it is to correct its answer, for which its advisors and its team are not heard again. */
  readonly isRepeated?: boolean | undefined;
  /** What it has said already, which is its answer where it says nothing more. */
  readonly lastWords?: string | undefined;
  /** The team that it, and whoever it passes its work to, speaks in. */
  readonly membership?: Membership | undefined;
  /** The session to continue, where it is no new one. */
  readonly session?: Session | undefined;
}

/** An agent's answer as others see it, with the signals in it. */
export interface Answer {
  readonly type: "answer";
  readonly text: string;
  /** The text as the run's reader gets it, where signal tokens are taken out for them alone. */
  readonly shown?: string | undefined;
  readonly found: readonly FoundSignal[];
  readonly traffic: readonly Message[];
  readonly turns: number;
  /** Whom a router chose in the place of an answer. */
  readonly choice?: Choice | undefined;
  /** Whom it transferred its work to; more than one where they are to work at once. */
  readonly transfers?: readonly Transfer[] | undefined;
  /** What a member of a team broadcast in the place of an answer. */
  readonly broadcast?: TeamSaid | undefined;
  /** What advisors and members of its team told it. */
  readonly heard?: readonly Section[] | undefined;
  /** The session, which can continue; absent where nobody spoke, and the input is passed on as it is. */
  readonly session?: Session | undefined;
}

export type Asked =
  | Answer
  | {
      readonly type: "failed";
      readonly failure: Failure;
      readonly turns: number;
      readonly heard?: Answer["heard"];
    };

/** What a router decided. */
export interface Choice {
  readonly agent: string;
  readonly message: string | undefined;
}

/** Work that an agent transfers to a collaborator. */
export interface Transfer {
  readonly to: string;
  readonly reason: string | undefined;
  /** A JSON object; text where the transfer was declared in an answer. */
  readonly context: unknown;
  /** Whether it was declared in an answer, whose signals count. */
  readonly isWritten: boolean;
}

/** A handoff that an agent chose to make. */
export interface Wish {
  readonly from: string;
  readonly to: string;
  readonly via: "router" | "transfer";
  readonly reason: string;
}

/** Says why a handoff cannot be made, if so; told where it is chosen, in the turn of that number. */
export type Refuse = (wish: Wish, place: EventPlace, turn: number) => string | undefined;

/** How an agent speaks and hears in a team. */
export interface Membership {
  readonly tool: ExitTool;
  readonly maxTurns: number | undefined;
  news(session: Session): string | undefined;
}
