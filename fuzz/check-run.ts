import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent, EventType } from "../src/vocabulary/events.ts";
import { checkEntry } from "./check-entry.ts";
import { checkGroups } from "./check-groups.ts";
import { partsAreNested } from "./check-nesting.ts";
import { checkQuotas } from "./check-quotas.ts";
import { checkResult } from "./check-result.ts";
import { checkTimes } from "./check-times.ts";
import { eventsOfType } from "./events-of-type.ts";
import { isPaused, pair } from "./pair-events.ts";
import { checkFiles } from "./random-files.ts";
import { withoutLost } from "./without-lost.ts";

/** What must be true of every run's events; gives a sentence for each thing that is not. */
export function checkRun(events: readonly BatonEvent[], crew: Crew, options: { readonly isTimed: boolean }): string[] {
  return [
    ...checkAnyRun(events),
    ...checkGroups(events, crew),
    ...roundsAreNumbered(events),
    ...checkEntry(events, crew),
    ...handoffsLead(events, crew),
    ...handoffsAreLimited(events, crew),
    ...sessionsAreLimited(events, crew),
    ...checkQuotas(events, crew),
    ...checkResult(events, buildResult(events), crew),
    ...checkTimes(events, crew, options),
  ];
}

/** What must be true whatever crews are in it. */
export function checkAnyRun(events: readonly BatonEvent[]): string[] {
  return [
    ...seqIsGapless(events),
    ...beginsAndEndsOnce(events),
    ...nothingFollowsTheEnd(events),
    ...agentsAreClosed(events),
    ...crewsAreLeft(events),
    ...callsAreAnswered(events),
    ...partsAreNested(events),
    ...placesAreUnique(events),
    ...checkFiles(events),
    ...resultIsTheEnd(events),
  ];
}

/** What the last event says of the end is what the result says. */
function resultIsTheEnd(events: readonly BatonEvent[]): string[] {
  const end = events.at(-1);
  if (end?.type !== "run.completed" && end?.type !== "run.failed") return [];
  const result = buildResult(events);
  const { output, finalAgent } = end.data;
  return output === result.output && finalAgent === result.finalAgent
    ? []
    : [`the last event has another output or final agent than the result`];
}

function crewsAreLeft(events: readonly BatonEvent[]): string[] {
  const { problems, open } = pair(events, new Set(["crew.entered"]), new Set(["crew.left"]));
  if (isPaused(events)) return problems;
  return [...problems, ...open.map(({ path }) => `the crew at ${path} is never left`)];
}

/** An agent, a crew or a group begins once at a place. */
function placesAreUnique(events: readonly BatonEvent[]): string[] {
  const begun = events.filter(({ type }) => /^(agent\.started|crew\.entered|parallel\.started)$/.test(type));
  const places = begun.map(({ path }) => path);
  return new Set(places).size === places.length ? [] : ["two things begin at one place"];
}

const lastWords: ReadonlySet<EventType> = new Set(["run.completed", "run.failed", "run.cancelled"]);

function seqIsGapless(events: readonly BatonEvent[]): string[] {
  const wrong = events.findIndex(({ seq, id, runId }, index) => seq !== index || id !== `${runId}.${index}`);
  return wrong === -1 ? [] : [`event ${wrong} has seq ${events[wrong]?.seq} and id ${events[wrong]?.id}`];
}

function beginsAndEndsOnce(events: readonly BatonEvent[]): string[] {
  const last = events.at(-1)?.type ?? "run.started";
  const starts = eventsOfType(events, "run.started").length;
  return [
    ...(events[0]?.type === "run.started" && starts === 1 ? [] : [`the run started ${starts} times`]),
    ...(lastWords.has(last) || last === "run.paused" ? [] : [`the run neither ended nor paused: ${last} is last`]),
  ];
}

/** After a pause only its answer may come, or its cancelling; after the end nothing. */
function nothingFollowsTheEnd(events: readonly BatonEvent[]): string[] {
  return events.flatMap((event, index) => {
    const before = events[index - 1];
    if (before === undefined) return [];
    const isAnswer = event.type === "run.resumed";
    const isCancelling = event.type === "run.cancelling";
    const isFine = before.type === "run.paused" ? isCancelling || (isAnswer && event.path === before.path) : !isAnswer;
    return isFine && !lastWords.has(before.type) ? [] : [`${event.type} at ${event.path} follows ${before.type}`];
  });
}

function agentsAreClosed(events: readonly BatonEvent[]): string[] {
  const { problems, open } = pair(events, new Set(["agent.started"]), new Set(["agent.completed", "agent.failed"]));
  // An agent that waits for the approval of a call is still speaking.
  if (isPaused(events)) return problems;
  return [...problems, ...open.map(({ path, agent }) => `agent ${agent} at ${path} never ended`)];
}

function callsAreAnswered(events: readonly BatonEvent[]): string[] {
  const paired = [
    pair(events, new Set(["model.called"]), new Set(["model.completed", "model.failed"])),
    pair(events, new Set(["tool.called"]), new Set(["tool.completed", "tool.failed"])),
    pair(events, new Set(["function.called"]), new Set(["function.completed", "function.failed"])),
    pair(events, new Set(["external.emitted"]), new Set(["external.delivered"])),
  ];
  const open = paired.flatMap((each) => each.open);
  // While a sub-agent waits, so does the call of it; all else finishes before a run is paused.
  const isWaiting = (event: BatonEvent) =>
    isPaused(events) && event.type === "tool.called" && /^(agent__|crew__)/.test(event.data.tool);
  const unanswered = open.filter((event) => !isWaiting(event));
  return [
    ...paired.flatMap(({ problems }) => problems),
    ...unanswered.map(({ type, path }) => `${type} at ${path} has no result`),
  ];
}

const isRound = (event: BatonEvent) =>
  /^\d+$/.test(event.path) && (event.type === "agent.started" || event.type === "parallel.started");

function roundsAreNumbered(events: readonly BatonEvent[]): string[] {
  const wrong = events.filter(isRound).findIndex(({ path }, index) => path !== String(index));
  return wrong === -1 ? [] : [`round ${wrong} has another number`];
}

/** The entry point, or who was chosen. */
function entryIn(events: readonly BatonEvent[], { entryPoint }: Crew): string {
  if (entryPoint.type === "agent") return entryPoint.agent;
  return events.find((event) => event.type === "classification")?.data.agent ?? "";
}

/** Whoever speaks next is who was handed to; without a handoff it is who spoke before. */
function handoffsLead(events: readonly BatonEvent[], crew: Crew): string[] {
  const problems: string[] = [];
  let due = entryIn(events, crew);
  let holder = due;
  for (const event of events) {
    if (event.type === "handoff") {
      if (event.data.from !== holder)
        problems.push(`handoff ${event.data.n} is from ${event.data.from}, not ${holder}`);
      due = event.data.to;
    } else if (isRound(event)) {
      const name = event.type === "parallel.started" ? event.data.group : event.agent;
      if (name !== due) problems.push(`${name} speaks at ${event.path} where ${due} was to`);
      // Where a group hands on to nobody, the word is with whoever called it.
      const caller = holder;
      holder = due;
      if (event.type === "parallel.started") due = caller;
    }
  }
  return problems;
}

function handoffsAreLimited(events: readonly BatonEvent[], crew: Crew): string[] {
  const { maxRunHandoffs, maxRounds } = crew.settings;
  const maxHandoffs = Math.min(crew.settings.maxHandoffs, maxRunHandoffs);
  const handoffs = eventsOfType(events, "handoff");
  // A router is told so once before it ends the run.
  const refused = eventsOfType(events, "handoff.refused").filter(({ path }) => !path.includes("/"));
  const rounds = events.filter(
    (event) => /^\d+$/.test(event.path) && (event.type === "agent.completed" || event.type === "parallel.joined"),
  ).length;
  const end = events.at(-1);
  const isGuarded = crew.guards !== undefined && (end?.type === "run.failed" || isPaused(events));
  const stopReason = end?.type === "run.completed" ? end.data.stopReason : undefined;
  return [
    ...(handoffs.every(({ data }, index) => data.n === index + 1) ? [] : ["handoffs are not numbered from 1"]),
    ...(handoffs.length <= maxHandoffs ? [] : [`${handoffs.length} handoffs, where ${maxHandoffs} are allowed`]),
    ...(rounds <= maxRounds ? [] : [`${rounds} rounds, where ${maxRounds} are allowed`]),
    // A guard of the crew's output may block the run all the same.
    ...(refused.length === (stopReason === "max_handoffs" ? 1 : 0) || (isGuarded && refused.length === 1)
      ? []
      : [`${refused.length} handoffs were refused`]),
    ...(refused.length === 0 || handoffs.length === maxHandoffs ? [] : ["a handoff was refused below the limit"]),
    ...(stopReason !== "max_rounds" || rounds === maxRounds ? [] : ["the rounds ended below their limit"]),
  ];
}

/** Turns, attempts and tool calls stay within what the agent may have. */
function sessionsAreLimited(events: readonly BatonEvent[], crew: Crew): string[] {
  const called = eventsOfType(withoutLost(events), "model.called");
  const calls = called.flatMap(({ path, agent = "", data }) => {
    const { limits, function: own } = crew.agents.get(agent) ?? {};
    if (limits === undefined) return [`a model is called at ${path} for nobody`];
    if (own !== undefined) return [`a model is called at ${path} for ${agent}, which is a function`];
    // A provider that refuses a required tool choice is asked once more without it, and once more without tools.
    const turn = path.slice(0, path.lastIndexOf("/"));
    const eased = called.filter(
      (other) =>
        other.path.startsWith(`${turn}/m`) && other.data.refused !== undefined && other.data.attempt <= data.attempt,
    );
    const isFine = data.turn < maxTurnsOf(agent, crew) && data.attempt <= limits.maxRetries + eased.length;
    return isFine ? [] : [`turn ${data.turn}, attempt ${data.attempt} at ${path} is beyond the limits`];
  });
  const unasked = called.filter(({ path, agent = "", data: { refused, attempt, model } }) => {
    if (refused === undefined) return false;
    if (/^(?:json|schema)$/.test(refused)) return crew.agents.get(agent)?.output.format !== "json";
    const turn = path.slice(0, path.lastIndexOf("/"));
    const before = called.find((other) => other.path === `${turn}/m${attempt - 1}`)?.data;
    return before?.model !== model || (before.toolChoice === undefined && before.refused !== "tool_choice");
  });
  const completed = eventsOfType(events, "agent.completed").flatMap(({ path, agent = "", data }) =>
    data.turns <= maxTurnsOf(agent, crew) ? [] : [`${agent} at ${path} took ${data.turns} turns`],
  );
  return [...calls, ...completed, ...unasked.map(({ path }) => `what nobody asked for is refused before ${path}`)];
}

/** A team has its own limits, and a supervisor one turn more than they say. */
function maxTurnsOf(agent: string, crew: Crew): number {
  const teams = [...crew.agents.values()].flatMap(({ team }) => team ?? []);
  const own = crew.agents.get(agent)?.limits.maxTurns ?? 0;
  const caps = teams.flatMap(({ memberMaxTurns = 0, supervisorMaxTurns = 0 }) => [memberMaxTurns, supervisorMaxTurns]);
  return teams.length === 0 ? own : Math.max(own, ...caps) + 1;
}
