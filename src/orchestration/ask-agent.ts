import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { AnswerListener, TextCleaner } from "../session/open-request.ts";
import { openSession, runSession } from "../session/run-session.ts";
import type { Session, SessionOutcome, SessionStart } from "../session/session.ts";
import type { Agent } from "../vocabulary/crew.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import type { Asked, Question } from "./agent-call.ts";
import { collectAgentTools } from "./collect-agent-tools.ts";
import type { CrewRun } from "./crew-run.ts";
import { findBudget } from "./limit-crew.ts";
import { type Advice, gatherAdvice } from "./patterns/advisors.ts";
import { Children } from "./patterns/clarification.ts";
import { isFace } from "./patterns/handoff.ts";
import { recallFor } from "./patterns/remember.ts";
import { HeldText, holdsOutput, holdsText, speakGuarded } from "./patterns/speak-guarded.ts";
import { superviseTeam } from "./patterns/team.ts";
import { TeamTalk } from "./patterns/team-talk.ts";
import { isDecidedBySignal, writtenTransfers } from "./patterns/written-transfers.ts";
import { signalsAround, writesSignals } from "./read-signals.ts";
import { createStripper, takeAnswer } from "./take-answer.ts";

const none: readonly never[] = [];

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
  const { agent, scope } = question;
  const budget = findBudget(agent, question.budget ?? crewRun.budget, crewRun, question.ownQuota);
  const charged = budget === question.budget ? question : { ...question, budget };
  const children = hasCallees(agent) ? new Children(question.callPath, crewRun) : undefined;
  const isFirst = question.session === undefined && question.isReminder !== true && question.isRepeated !== true;
  const isAdvised = children !== undefined && agent.advisors.length > 0 && isFirst;
  const remind = isFirst && remindsItself(agent) && crewRun.world.memory !== undefined;
  if (!isAdvised && !remind) return letSpeak(charged, { input: question.input, advice: none }, children, crewRun);
  const advised = isAdvised
    ? gatherAdvice(charged, children, crewRun)
    : Promise.resolve({ input: question.input, advice: none });
  if (!remind) return advised.then((advice) => letSpeak(charged, advice, children, crewRun));
  return advised.then(async (advice) => {
    const input = await recallFor(charged, advice.input, crewRun);
    // Whoever asked may have been stopped meanwhile.
    scope.throwIfClosed();
    return letSpeak(charged, { ...advice, input }, children, crewRun);
  });
}

function letSpeak(
  question: Question,
  { input, advice }: Advice,
  children: Children | undefined,
  crewRun: CrewRun,
): Promise<Asked> {
  const { agent, scope, place } = question;
  if (isFace(agent) && agent.function === undefined && agent.prompt.trim() === "")
    return Promise.resolve({ type: "answer", text: input, found: [], traffic: [], turns: 0 });
  const talk = openTeam(question, crewRun);
  const session = question.session ?? createSession(question, children, talk, crewRun);
  const speaker = new Speaker(question, session, crewRun);
  if (agent.guards !== undefined && session.listener instanceof SignalListener) {
    const { held } = session.listener;
    let hasSpoken = false;
    const speak = (told: string, within: Scope) => {
      // A team works on its task once. Who answers again is its supervisor alone.
      const isAlone = talk === undefined || hasSpoken;
      hasSpoken = true;
      return isAlone
        ? runSession(session, { input: told, scope: within, place })
        : superviseTeam(talk, { ...question, scope: within, input: told }, session, () => {}, crewRun);
    };
    // A guard may block what an agent that answered before is asked now: then its session does not begin again, but ends here.
    session.place = place;
    speaker.begin(input);
    const guarded = speakGuarded(agent.guards, { input, question, session, held }, speak, crewRun);
    return guarded.then((outcome) => speaker.show(outcome, speaker.end(outcome)));
  }
  if (talk === undefined) speaker.begin(input);
  const spoken =
    talk === undefined
      ? runSession(session, { input, scope, place })
      : superviseTeam(talk, { ...question, input }, session, (told) => speaker.begin(told), crewRun);
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

  /** Text that was held until its guards had passed is shown as a whole. */
  show(outcome: SessionOutcome, asked: Asked): Asked {
    const { agent, place } = this.#question;
    const isHeld = holdsOutput(agent.guards) && !holdsOutput(this.#crewRun.crew.guards);
    if (isHeld && outcome.type !== "failed" && asked.type === "answer")
      this.#crewRun.world.run.show(place, "text.delta", { text: asked.shown ?? asked.text });
    return asked;
  }

  /** Said as the scope is closed and not as the session unwinds: only the former has an order that a second run repeats. */
  close(reason: string): void {
    const { place, ownQuota } = this.#question;
    const cancelled = { code: "cancelled", message: reason, agent: nameSpeaker(place) };
    this.#crewRun.world.run.emit(place, "agent.failed", ownQuota?.failure ?? cancelled);
  }
}

function remindsItself({ memory }: Agent): boolean {
  return memory !== undefined && memory.recall !== "tool";
}

function hasCallees({ subAgents, advisors }: Agent): boolean {
  return subAgents.length + advisors.length > 0;
}

function openTeam(question: Question, crewRun: CrewRun): TeamTalk | undefined {
  const { agent, team = agent.team, session, input, isReminder = false, isRepeated = false } = question;
  const supervises = session === undefined && !isReminder && !isRepeated && team?.supervisor === agent.id;
  return supervises ? new TeamTalk(team, input, crewRun) : undefined;
}

function createSession(
  question: Question,
  children: Children | undefined,
  talk: TeamTalk | undefined,
  crewRun: CrewRun,
): Session {
  const { agent, history, budget, membership } = question;
  const { run, clock, dayTotals, models, findFunction, findOutputCheck } = crewRun.world;
  const start = {
    agent,
    history,
    tools: collectAgentTools(question, children, talk, crewRun),
    models: models(agent),
    callable: findFunction(agent),
    checkOutput: findOutputCheck?.(agent),
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
    beside: signalsBeside(agent, crewRun),
    listener: new SignalListener(agent, crewRun),
  };
  return openSession(start, question);
}

/** Tells a session what the signals in its agent's words mean. A class, because one is made for every answer. */
class SignalListener implements AnswerListener {
  readonly #agent: Agent;
  readonly #crewRun: CrewRun;
  readonly held: HeldText | undefined;
  readonly hold: AnswerListener["hold"];

  constructor(agent: Agent, crewRun: CrewRun) {
    this.#agent = agent;
    this.#crewRun = crewRun;
    const isGuarded = agent.guards !== undefined || crewRun.crew.guards !== undefined;
    this.held = isGuarded && holdsText(agent.guards, crewRun.crew.guards) ? new HeldText() : undefined;
    const { held } = this;
    this.hold = held && ((show) => held.hold(show));
  }

  isDecided(text: string): boolean {
    return isDecidedBySignal(text, this.#agent, this.#crewRun);
  }

  createCleaner(): TextCleaner | undefined {
    return createStripper(this.#agent, this.#crewRun);
  }
}

/** JSON says no signals; they may stand before and after it. */
function signalsBeside(agent: Agent, { crew, world }: CrewRun): SessionStart["beside"] {
  const bindings = crew.bindings.get(agent.id) ?? [];
  if (agent.output.format !== "json" || !writesSignals(agent, crew) || bindings.length === 0) return undefined;
  return {
    signals: bindings.map(({ signal }) => signal),
    find: (text) => signalsAround(text, world.signalReader.find(crew, agent, text)),
  };
}
