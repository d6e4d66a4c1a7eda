import type { Section } from "../context/frame.ts";
import type { History } from "../context/history.ts";
import type { Budget } from "../run/budget.ts";
import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { AnswerListener, TextCleaner } from "../session/open-request.ts";
import { openSession, runSession, type Session, type SessionOutcome } from "../session/run-session.ts";
import type { SessionStart } from "../session/session-start.ts";
import type { Agent, Team } from "../vocabulary/crew.ts";
import type { EventPlace, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { Message } from "../vocabulary/messages.ts";
import type { CrewRun } from "./crew-run.ts";
import { budgetOf } from "./limit-crew.ts";
import type { OwnQuota } from "./own-quota.ts";
import { type Advice, gatherAdvice } from "./patterns/advisors.ts";
import { runChain } from "./patterns/chain.ts";
import { Children } from "./patterns/clarification.ts";
import { isFace } from "./patterns/handoff.ts";
import type { Refuse } from "./patterns/refuse.ts";
import type { Choice } from "./patterns/router.ts";
import { superviseTeam } from "./patterns/team.ts";
import type { TeamSaid } from "./patterns/team-kind.ts";
import { type Membership, TeamTalk } from "./patterns/team-talk.ts";
import type { Transfer } from "./patterns/transfer.ts";
import { isDecidedBySignal, writtenTransfers } from "./patterns/written-transfers.ts";
import { type FoundSignal, signalsAround } from "./read-signals.ts";
import { stripperOf, takeAnswer } from "./take-answer.ts";
import { toolsOf } from "./tools-of.ts";

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
  /** What it has said already, which is its answer where it says nothing more. */
  readonly lastWords?: string | undefined;
  /** The team that it, and whoever it passes its work to, speaks in. */
  readonly membership?: Membership | undefined;
  /** The conversation to go on with, where it is no new one. */
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
  /** What can be gone on with; absent where nobody spoke, and the input is passed on as it is. */
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

const none: readonly never[] = [];

/** Calls an agent for the answer of whoever is last in its chain. */
export function callAgent(question: Question, crewRun: CrewRun): Promise<Asked> {
  return runChain(question, crewRun, askAgent);
}

/**
 * Lets an agent answer: its advisors, its session or the team it supervises, then what its words say in signals. Whether those act
 * is the asker's to decide.
 */
export function askAgent(question: Question, crewRun: CrewRun): Promise<Asked> {
  const { agent, scope, ownQuota } = question;
  // A quota may end a run while its agents are still being called.
  if (scope.isClosed) return Promise.reject(new ScopeClosed(scope.reason));
  if (ownQuota === undefined || agent.quotas.length === 0) return ask(question, crewRun);
  return ownQuota.guard(scope, (own) => ask({ ...question, scope: own }, crewRun));
}

function ask(question: Question, crewRun: CrewRun): Promise<Asked> {
  const { agent } = question;
  const budget = budgetOf(agent, question.budget ?? crewRun.budget, crewRun, question.ownQuota);
  const charged = budget === question.budget ? question : { ...question, budget };
  const children = hasCallees(agent) ? new Children(question.callPath, crewRun, callAgent) : undefined;
  const isFirst = question.session === undefined && question.isReminder !== true;
  const isAdvised = children !== undefined && agent.advisors.length > 0 && isFirst;
  if (!isAdvised) return letSpeak(charged, { input: question.input, advice: none }, children, crewRun);
  const advised = gatherAdvice(charged, children, crewRun, callAgent);
  return advised.then((advice) => letSpeak(charged, advice, children, crewRun));
}

function letSpeak(
  question: Question,
  { input, advice }: Advice,
  children: Children | undefined,
  crewRun: CrewRun,
): Promise<Asked> {
  const { agent, scope, place } = question;
  if (isFace(agent) && agent.prompt.trim() === "")
    return Promise.resolve({ type: "answer", text: input, found: [], traffic: [], turns: 0 });
  const talk = teamOf(question, crewRun);
  const session = question.session ?? sessionOf(question, children, talk, crewRun);
  const speaker = new Speaker(question, session, crewRun);
  if (talk === undefined) speaker.begin(input);
  const spoken =
    talk === undefined
      ? runSession(session, { input, scope, place })
      : superviseTeam(talk, { ...question, input }, session, (told) => speaker.begin(told), crewRun, callAgent);
  const asked = spoken.then((outcome) => speaker.end(outcome));
  const hasHeard = talk !== undefined || advice.length > 0;
  return hasHeard ? asked.then((each) => ({ ...each, heard: [...advice, ...(talk?.heard() ?? none)] })) : asked;
}

/** An agent that is at work in a scope. */
class Speaker {
  readonly #question: Question;
  readonly #session: Session;
  readonly #crewRun: CrewRun;
  /** Turns that the session had before. */
  readonly #before: number;

  constructor(question: Question, session: Session, crewRun: CrewRun) {
    this.#question = question;
    this.#session = session;
    this.#before = session.turns;
    this.#crewRun = crewRun;
  }

  begin(input: string): void {
    const { place, scope } = this.#question;
    this.#crewRun.world.run.emit(place, "agent.started", { input });
    scope.add(this);
  }

  end(outcome: SessionOutcome): Asked {
    const { scope } = this.#question;
    scope.throwIfClosed();
    scope.remove(this);
    return takeAnswer(outcome, this.#question, this.#session, this.#before, this.#crewRun);
  }

  /** Said as the scope is closed and not as the session unwinds: only the former has an order that a second run repeats. */
  close(reason: string): void {
    const { place, ownQuota } = this.#question;
    const cancelled = { code: "cancelled", message: reason, agent: nameSpeaker(place) };
    this.#crewRun.world.run.emit(place, "agent.failed", ownQuota?.failure ?? cancelled);
  }
}

function hasCallees({ subAgents, advisors }: Agent): boolean {
  return subAgents.length + advisors.length > 0;
}

function teamOf(question: Question, crewRun: CrewRun): TeamTalk | undefined {
  const { agent, team = agent.team, session, input, isReminder = false } = question;
  const supervises = session === undefined && !isReminder && team?.supervisor === agent.id;
  return supervises ? new TeamTalk(team, input, crewRun) : undefined;
}

function sessionOf(
  question: Question,
  children: Children | undefined,
  talk: TeamTalk | undefined,
  crewRun: CrewRun,
): Session {
  const { agent, history, budget, membership } = question;
  const { run, clock, dayTotals, models } = crewRun.world;
  const start = {
    agent,
    history,
    tools: toolsOf(question, children, talk, crewRun, callAgent),
    models: models(agent),
    settings: crewRun.crew.settings,
    run,
    clock,
    budget,
    dayTotals,
    maxTurns: talk === undefined ? membership?.maxTurns : talk.team.supervisorMaxTurns,
    isReportless: membership !== undefined,
    news: membership?.news,
    callsIn: writtenTransfers(question, crewRun),
    mayBeSilent: membership !== undefined,
    around: signalsBeside(agent, crewRun),
    listener: new SignalListener(agent, crewRun),
  };
  return openSession(start, question);
}

/** Tells a session what the signals in its agent's words mean. A class, because one is made for every answer. */
class SignalListener implements AnswerListener {
  readonly #agent: Agent;
  readonly #crewRun: CrewRun;

  constructor(agent: Agent, crewRun: CrewRun) {
    this.#agent = agent;
    this.#crewRun = crewRun;
  }

  isDecided(text: string): boolean {
    return isDecidedBySignal(text, this.#agent, this.#crewRun);
  }

  createCleaner(): TextCleaner | undefined {
    return stripperOf(this.#agent, this.#crewRun);
  }
}

/** JSON says no signals; they may stand before and after it. */
function signalsBeside(agent: Agent, { crew, world }: CrewRun): SessionStart["around"] {
  const isSilent = crew.settings.emit === "tool" || (crew.bindings.get(agent.id) ?? []).length === 0;
  if (agent.output.format !== "json" || isSilent) return undefined;
  return (text) => signalsAround(text, world.signalReader.find(crew, agent, text));
}
