import { cutOutputs } from "../context/cut-outputs.ts";
import { append } from "../context/history.ts";
import type { CallableFunction } from "../tools/agent-function.ts";
import type { EventData } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { createMessage, type Message } from "../vocabulary/messages.ts";
import { isPromise } from "../vocabulary/promise.ts";
import { formatAmount, isBlank } from "../vocabulary/wording.ts";
import { callFunction } from "./call-function.ts";
import { callModel, settleCall } from "./call-model.ts";
import { callTools } from "./call-tools.ts";
import { isCutOff } from "./check-reply.ts";
import { chooseModels } from "./choose-models.ts";
import { findFinalReport } from "./offer-tools.ts";
import { createCharge, createRequest, lastTurnNotice, planTurn, type TurnPlan } from "./plan-turn.ts";
import { readAnswer } from "./read-answer.ts";
import type { Invocation, Session, SessionOutcome, SessionStart } from "./session.ts";
import type { SessionTool } from "./session-tool.ts";

type Reply = Pick<EventData["model.completed"], "text" | "toolCalls" | "finish" | "providerMetadata" | "startsOver">;

export function openSession(start: SessionStart, { scope, place }: Invocation): Session {
  // One field at a time: a session is made for every answer, and copying another object costs more than all else about it.
  return {
    agent: start.agent,
    history: start.history,
    tools: start.tools,
    models: start.models,
    callable: start.callable,
    settings: start.settings,
    run: start.run,
    clock: start.clock,
    budget: start.budget,
    dayTotals: start.dayTotals,
    maxTurns: start.maxTurns,
    mayBeSilent: start.mayBeSilent,
    isReportless: start.isReportless,
    news: start.news,
    callsIn: start.callsIn,
    checkOutput: start.checkOutput,
    beside: start.beside,
    listener: start.listener,
    conversation: start.history,
    turns: 0,
    scope,
    place,
    traffic: [],
    hasRepaired: false,
    mustFinish: false,
    mayGoOn: true,
    begun: undefined,
    gate: undefined,
  };
}

/** Turns that are left to a session. */
export function turnsLeft({ maxTurns, agent, turns }: Session): number {
  return Math.max(0, (maxTurns ?? agent.limits.maxTurns) - turns);
}

/** Says something to an agent: turns of model call and tool calls, until an answer. */
export async function runSession(session: Session, invocation: Invocation): Promise<SessionOutcome> {
  const { isForced = false } = invocation;
  const first = begin(session, invocation);
  if (session.callable !== undefined) return answerByFunction(session, session.callable, invocation, first);
  const end = isForced ? first + 1 : first + turnsLeft(session);
  while (session.turns < end) {
    const isLast = session.mustFinish || session.turns === end - 1;
    if (isLast) session.mayGoOn = false;
    const offer = planTurn(session, isLast, isForced);
    const { tools } = offer;
    tellBefore(session, first, isLast, offer);
    const asked = askModel(session, offer, isLast);
    // A model that answers at once is not waited for.
    const called = isPromise(asked) ? await asked : asked;
    if (called.type === "failed") return called;
    if (called.type === "last_turn") {
      session.mustFinish = true;
      continue;
    }
    session.turns++;
    const outcome = takeReply(session, called.data, tools, first, isLast);
    const ended = isPromise(outcome) ? await outcome : outcome;
    if (ended !== undefined) return ended;
  }
  return failAtTurns(session);
}

/** Asks the first model of the chain that takes what the agent is given. */
function askModel(session: Session, offer: TurnPlan, isLast: boolean): ReturnType<typeof settleCall> {
  const request = createRequest(session, offer);
  const chosen = chooseModels(session, request);
  if ("failure" in chosen) return { type: "failed", failure: chosen.failure };
  const { caller, sent } = chosen;
  const charge = session.budget && createCharge(caller, session.budget, sent, isLast);
  const asked = callModel(caller, sent, charge);
  return isPromise(asked)
    ? asked.then((first) => settleCall(first, caller, sent, charge))
    : settleCall(asked, caller, sent, charge);
}

/** An agent without a model answers by its function, in one turn. Nothing can be repaired by asking it again. */
async function answerByFunction(
  session: Session,
  callable: CallableFunction,
  { input = "", isForced = false }: Invocation,
  first: number,
): Promise<SessionOutcome> {
  if (!isForced && turnsLeft(session) === 0) return failAtTurns(session);
  const called = await callFunction(session, callable, input);
  if (called.type === "failed") return called;
  session.turns++;
  session.mayGoOn = false;
  const exits = session.tools.filter(({ kind }) => kind === "exit");
  const reply = { text: called.text, toolCalls: [], finish: "stop" };
  const outcome = await takeReply(session, reply, exits, first, true);
  if (outcome === undefined) throw new Error("the only turn of a function has an outcome");
  return outcome;
}

function failAtTurns(session: Session): SessionOutcome {
  const { agent, maxTurns: limit = agent.limits.maxTurns } = session;
  return failed(session, "max_turns", (name) => `agent '${name}' did not answer within ${formatAmount(limit, "turn")}`);
}

/** Nothing of a reply counts before guards that run beside the call have passed. */
function takeReply(
  session: Session,
  reply: Reply,
  tools: readonly SessionTool[],
  first: number,
  isLast: boolean,
): ReturnType<typeof readReply> {
  if (session.gate === undefined) return readReply(session, reply, tools, first, isLast);
  return session.gate.then(() => readReply(session, reply, tools, first, isLast));
}

/** What follows from a reply: an answer, or calls; nothing where another turn must follow. */
function readReply(
  session: Session,
  reply: Reply,
  tools: readonly SessionTool[],
  first: number,
  isLast: boolean,
): SessionOutcome | undefined | Promise<SessionOutcome | undefined> {
  if (isCutOff(reply, session)) return goOn(session, reply.text);
  const text = reply.startsOver ? reply.text : (session.begun ?? "") + reply.text;
  session.begun = undefined;
  if (reply.toolCalls.length > 0) {
    const report = findFinalReport(reply, session);
    if (report !== undefined) return finish(session, report, report, first, isLast);
    return useTools(session, reply, text, tools, first, isLast);
  }
  const written = tools.length === 0 ? undefined : session.callsIn?.(text);
  if (written === undefined) return finish(session, text, reply.text, first, isLast);
  const outcome = useTools(session, { ...reply, ...written }, written.text, tools, first, isLast, true);
  // What cannot be done and cannot be tried again is at least an answer.
  const answer = (): SessionOutcome => ({ type: "answer", text, ...sinceThen(session, first) });
  return isLast ? outcome.then((ended) => ended ?? answer()) : outcome;
}

/** Asks for the rest of an answer that was cut off, once. */
function goOn(session: Session, text: string): undefined {
  session.begun = text;
  session.mayGoOn = false;
  session.conversation = append(session.conversation, createMessage(session.agent.id, text));
  say(session, "Your answer was cut off. Continue exactly where it stops, and do not repeat any of it.");
}

function sinceThen({ traffic, turns }: Session, first: number): { traffic: readonly Message[]; turns: number } {
  return { traffic, turns: turns - first };
}

/** What the session itself tells the agent before a turn. */
function tellBefore(session: Session, first: number, isLast: boolean, offer: TurnPlan): void {
  const news = session.turns > first ? session.news?.(session) : undefined;
  if (news !== undefined) say(session, news);
  if (isLast) say(session, lastTurnNotice(offer));
}

/** Gives the number of the invocation's first turn. */
function begin(session: Session, { scope, place, input }: Invocation): number {
  session.scope = scope;
  session.place = place;
  session.traffic = [];
  session.hasRepaired = false;
  session.mustFinish = false;
  session.mayGoOn = true;
  session.begun = undefined;
  if (input !== undefined) say(session, input);
  return session.turns;
}

/** `said` is the newest part of the text. */
function finish(
  session: Session,
  text: string,
  said: string,
  first: number,
  isLast: boolean,
): SessionOutcome | undefined {
  const { agent, traffic } = session;
  const answer = readAnswer(text, session);
  session.conversation = append(session.conversation, createMessage(agent.id, said));
  if ("text" in answer) return { type: "answer", text: answer.text, traffic, turns: session.turns - first };
  return repair(session, answer.problem, isLast);
}

/** One more turn to put an answer right; the second that cannot be used fails the session. */
function repair(session: Session, problem: string, isLast: boolean): SessionOutcome | undefined {
  if (session.hasRepaired || isLast) return failed(session, "output_invalid", (name) => `agent '${name}': ${problem}`);
  session.hasRepaired = true;
  say(
    session,
    `Your answer cannot be used: ${problem}. Answer again with the corrected JSON and nothing else${session.beside === undefined ? "" : " but your signals"}.`,
  );
  return undefined;
}

/** `text` is all of the answer, of which the reply may be the second part. */
async function useTools(
  session: Session,
  reply: Reply,
  text: string,
  tools: readonly SessionTool[],
  first: number,
  isLast: boolean,
  isWritten = false,
): Promise<SessionOutcome | undefined> {
  const { agent, place, settings, traffic, turns } = session;
  const at = { ...place, path: `${place.path}/t${turns - 1}` };
  const calling = { ...session, place: at, tools, allTools: session.tools, reply: { text, turns, isWritten } };
  const { texts, exits, mustFinish } = await callTools(reply.toolCalls, calling);
  const [exit, ...others] = exits;
  session.mustFinish ||= mustFinish;
  const maxToolOutputChars = agent.limits.maxToolOutputChars ?? settings.maxToolOutputChars;
  const results = cutOutputs(texts, { ...settings, maxToolOutputChars });
  const spoken: Message[] = [
    // The text of a reply that ends the session is its answer, which the history gets once.
    {
      role: "agent",
      agent: agent.id,
      text: exit === undefined ? reply.text : "",
      toolCalls: reply.toolCalls,
      providerMetadata: reply.providerMetadata,
    },
    ...reply.toolCalls.map(
      ({ name }, index): Message => ({ role: "tool", agent: agent.id, tool: name, text: results[index] ?? "" }),
    ),
  ];
  for (const message of spoken) session.conversation = append(session.conversation, message);
  traffic.push(...spoken);
  if (exit === undefined) return undefined;
  const said = isBlank(text) ? (exit.text ?? text) : text;
  const answer = exit.tool.givesAnswer ? readAnswer(said, session) : { text: said };
  if ("problem" in answer) return repair(session, answer.problem, isLast);
  const values = others.map(({ value }) => value);
  return { type: "exit", ...exit, others: values, text: said, ...sinceThen(session, first) };
}

/** A notice of the session itself, which nobody else sees. */
function say(session: Session, text: string): void {
  session.conversation = append(session.conversation, { role: "user", text });
}

function failed({ place }: Session, code: string, message: (name: string) => string): SessionOutcome {
  const agent = nameSpeaker(place);
  return { type: "failed", failure: { code, message: message(agent), agent } };
}
