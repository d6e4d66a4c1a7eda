import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { type AgentBounds, boundInput } from "./agent-bounds.ts";
import type { Measure } from "./measure.ts";
import { priceCall } from "./model-facts.ts";
import type { CallGroup, Work } from "./work.ts";

/** A session of an agent, perhaps over several times that it is asked something. */
export interface SessionQuestion {
  readonly bounds: AgentBounds;
  readonly turns: number;
  /** How much was said before its first turn. */
  readonly said: number;
  /** Whether it is called from inside another agent or a group. */
  readonly isCalled: boolean;
  /** Whether it is only reminded of its signals. */
  readonly isReminder: boolean;
  /** Whether it may only speak by the tools of a team. */
  readonly isMember: boolean;
}

/** The model calls of a session, in which every attempt but the last of each turn fails. */
export function modelCallWork(question: SessionQuestion, measure: Measure): Work {
  const { bounds, turns } = question;
  if (bounds.agent.function !== undefined) return { value: measure.tool(bounds), groups: [], inside: [] };
  const perTurn = countAttempts(question);
  const groups: CallGroup[] = [];
  let value = 0;
  const add = (calls: number, said: number) => {
    if (calls === 0) return;
    value += measure.attempts(bounds, calls, boundInput(bounds, said));
    groups.push(describeCalls(bounds, calls, boundInput(bounds, said)));
  };
  if (measure.readsContext) {
    // Where the window is full, every further turn is alike.
    const growing = Math.min(turns, Math.max(1, Math.ceil((bounds.window - question.said) / bounds.turnTokens) + 1));
    for (let turn = 0; turn < growing; turn++) add(perTurn, question.said + turn * bounds.turnTokens);
    const full = question.said + growing * bounds.turnTokens;
    if (turns > growing) addAlike(turns - growing, perTurn, full);
    add(countEased(question), full);
  } else {
    addAlike(turns, perTurn, question.said);
    add(countEased(question), question.said);
  }
  return { value, groups, inside: [] };

  function addAlike(times: number, calls: number, said: number): void {
    if (times <= 0) return;
    const input = boundInput(bounds, said);
    value += times * measure.attempts(bounds, calls, input);
    const one = describeCalls(bounds, calls, input);
    groups.push({ ...one, calls: times * calls, costUsd: one.costUsd === undefined ? undefined : times * one.costUsd });
  }
}

function describeCalls(bounds: AgentBounds, calls: number, inputTokens: number): CallGroup {
  const { agent, models, name, outputTokens } = bounds;
  const prices = models.map((model) => priceCall(agent, model, inputTokens, outputTokens));
  const known = prices.length === 0 ? [priceCall(agent, undefined, inputTokens, outputTokens)] : prices;
  const most = known.some((price) => price === undefined) ? undefined : Math.max(...known.map((price) => price ?? 0));
  return { agent: name, calls, inputTokens, outputTokens, costUsd: most === undefined ? undefined : calls * most };
}

/** Attempts of a turn. One that a provider refuses for what it asks for besides an answer is made again without that. */
function countAttempts(question: SessionQuestion): number {
  const { attempts } = question.bounds;
  return (attempts - 1) * (isEasedAlways(question) ? easing(question) : 1) + 1;
}

/** Once a model answered without what it refused, it is not asked for that again. */
function countEased(question: SessionQuestion): number {
  const { bounds, turns } = question;
  const more = easing(question) - 1;
  const chain = Math.max(1, bounds.models.length);
  if (isEasedAlways(question)) return more * Math.min(turns, chain);
  return isEasedAtLast(question) ? more * bounds.attempts : 0;
}

/** How often one attempt may be made: with a required tool, without, and without tools. */
function easing({ isReminder }: SessionQuestion): number {
  return isReminder ? 3 : 2;
}

function isEasedAlways({ bounds, isReminder, isCalled, isMember }: SessionQuestion): boolean {
  const { agent, crew, hasTools } = bounds;
  const hasSignals = (crew.bindings.get(agent.id) ?? []).length > 0;
  const writes = crew.settings.emit !== "tool";
  const mustReport = agent.output.schema !== undefined && agent.output.format === "json" && writes && !isMember;
  if (!hasSignals) return false;
  return isReminder || mustReport || (!hasTools && !isCalled && isOnlyWay(agent, crew));
}

function isEasedAtLast({ bounds: { agent, crew }, isCalled }: SessionQuestion): boolean {
  return (crew.bindings.get(agent.id) ?? []).length > 0 && !isCalled && isOnlyWay(agent, crew);
}

/** Whether a signal alone can say what follows, so that the model must emit one. */
function isOnlyWay({ id, isTerminal, handoff, handoffTargets, output }: Agent, crew: Crew): boolean {
  const { emit, onNoSignal } = crew.settings;
  const isFollowed = isTerminal || handoff !== undefined || handoffTargets.length > 0 || crew.defaults.has(id);
  const mayWait = onNoSignal === "pause" || crew.behaviors.get(id)?.waitForSignal === true;
  return emit === "tool" && !isFollowed && !mayWait && output.format !== "json";
}
