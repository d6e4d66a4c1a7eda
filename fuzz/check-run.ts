import { buildResult } from "../src/views/run-result.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent, EventOf, EventType } from "../src/vocabulary/events.ts";
import { checkEntry } from "./check-entry.ts";
import { partsAreNested } from "./check-nesting.ts";
import { checkQuotas } from "./check-quotas.ts";
import { checkResult } from "./check-result.ts";
import { checkTimes } from "./check-times.ts";
import { eventsOfType } from "./events-of-type.ts";
import { withoutLost } from "./without-lost.ts";

/** What must be true of every run's events; gives a sentence for each thing that is not. */
export function checkRun(events: readonly BatonEvent[], crew: Crew, options: { readonly isTimed: boolean }): string[] {
  return [
    ...checkAnyRun(events),
    ...groupsAreJoined(events, crew),
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

/** Pairs what opens at a path with what closes it there; gives what is wrong, and what is still open. */
function pair(
  events: readonly BatonEvent[],
  opens: ReadonlySet<EventType>,
  closes: ReadonlySet<EventType>,
): { readonly problems: string[]; readonly open: readonly BatonEvent[] } {
  const seen = new Map<string, { readonly event: BatonEvent; isOpen: boolean }>();
  const problems: string[] = [];
  // A call that was interrupted by a crash is on record again, once for each time that somebody said that it did not happen.
  const denied = new Set<string>();
  for (const event of events) {
    const at = seen.get(event.path);
    if (isDenial(event)) denied.add(event.path.replace(/\/happened\d+$/, ""));
    if (opens.has(event.type)) {
      if (at !== undefined && !denied.delete(event.path)) problems.push(`${event.type} happens twice at ${event.path}`);
      seen.set(event.path, { event, isOpen: true });
    } else if (closes.has(event.type)) {
      if (at?.isOpen !== true) problems.push(`${event.type} at ${event.path} ends what was not under way`);
      else if (at.event.agent !== event.agent) problems.push(`${event.type} at ${event.path} is of another agent`);
      if (at !== undefined) at.isOpen = false;
    }
  }
  return { problems, open: [...seen.values()].filter(({ isOpen }) => isOpen).map(({ event }) => event) };
}

function isDenial(event: BatonEvent): boolean {
  return event.type === "run.resumed" && event.data.decision === "not_happened";
}

function isPaused(events: readonly BatonEvent[]): boolean {
  return events.at(-1)?.type === "run.paused";
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

function groupsAreJoined(events: readonly BatonEvent[], crew: Crew): string[] {
  const { problems, open } = pair(events, new Set(["parallel.started"]), new Set(["parallel.joined"]));
  const last = events.at(-1);
  const isClosed =
    isPaused(events) ||
    last?.type === "run.cancelled" ||
    (last?.type === "run.failed" && (last.data.stopReason === "timeout" || last.data.stopReason === "quota"));
  const unjoined = isClosed ? [] : open.map(({ path }) => `the group at ${path} is never joined`);
  return [
    ...problems,
    ...unjoined,
    ...eventsOfType(events, "parallel.joined").flatMap((each) => joinFits(each, events, crew)),
  ];
}

/** A join says of each member what its own events say, and was not made before it was due. */
function joinFits({ path, data }: EventOf<"parallel.joined">, events: readonly BatonEvent[], crew: Crew): string[] {
  const members = data.outcomes.map(({ member }) => member);
  // Transfers of one answer are a group that is known by its members, and waited for.
  const transfers = { agents: members, waitForAll: true, minSuccess: undefined };
  const group = crew.groups.get(data.group) ?? (data.group === members.join("+") ? transfers : undefined);
  if (group === undefined || members.join() !== group.agents.join()) return [`the join at ${path} has other members`];
  const isLate = events.some((event) => event.type === "deadline.passed" && event.path === `${path}/deadline`);
  const successes = data.outcomes.filter(({ status }) => status === "completed").length;
  const isDone = data.outcomes.every(({ status }) => status === "completed" || status === "failed");
  const isEnough = !group.waitForAll && successes >= (group.minSuccess ?? 1);
  // Within a call, a group ends with it: those that were still at work are cancelled.
  const isCutShort = path.includes("/") && data.outcomes.some(({ status }) => status === "cancelled");
  const wrong = data.outcomes.flatMap(({ member, status, text }, index) => {
    // A member whose patterns work for it may be cut short where none of its own events says so.
    const { handoff, router, advisors = [], collaborations = [], team } = crew.agents.get(member) ?? {};
    if (handoff !== undefined || router !== undefined || team !== undefined) return [];
    if (advisors.length + collaborations.length > 0) return [];
    const end = events.find(
      (event) =>
        event.path === `${path}/b${index}` && (event.type === "agent.completed" || event.type === "agent.failed"),
    );
    const isCancelled = end?.type === "agent.failed" && end.data.code === "cancelled";
    const actual =
      end?.type === "agent.completed" ? "completed" : isCancelled ? (isLate ? "late" : "cancelled") : "failed";
    return saysTheSame(end, actual, status, text)
      ? []
      : [`member ${member} of the join at ${path} is ${status}, but was ${actual}`];
  });
  return [...wrong, ...(isLate || isDone || isEnough || isCutShort ? [] : [`the join at ${path} came too early`])];
}

/** An empty answer is no success; signals that were taken out of it make it one. */
function saysTheSame(end: BatonEvent | undefined, actual: string, status: string, text: string): boolean {
  if (end?.type !== "agent.completed") return actual === status;
  return (end.data.answer.trim() === "" && status === "failed") || (actual === status && end.data.answer === text);
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
  const stopReason = end?.type === "run.completed" ? end.data.stopReason : undefined;
  return [
    ...(handoffs.every(({ data }, index) => data.n === index + 1) ? [] : ["handoffs are not numbered from 1"]),
    ...(handoffs.length <= maxHandoffs ? [] : [`${handoffs.length} handoffs, where ${maxHandoffs} are allowed`]),
    ...(rounds <= maxRounds ? [] : [`${rounds} rounds, where ${maxRounds} are allowed`]),
    ...(refused.length === (stopReason === "max_handoffs" ? 1 : 0) ? [] : [`${refused.length} handoffs were refused`]),
    ...(refused.length === 0 || handoffs.length === maxHandoffs ? [] : ["a handoff was refused below the limit"]),
    ...(stopReason !== "max_rounds" || rounds === maxRounds ? [] : ["the rounds ended below their limit"]),
  ];
}

/** Turns, attempts and tool calls stay within what the agent may have. */
function sessionsAreLimited(events: readonly BatonEvent[], crew: Crew): string[] {
  const calls = eventsOfType(withoutLost(events), "model.called").flatMap(({ path, agent = "", data }) => {
    const limits = crew.agents.get(agent)?.limits;
    if (limits === undefined) return [`a model is called at ${path} for nobody`];
    // A provider that refuses a required tool choice is asked once more without it.
    const attempts = limits.maxRetries + (crew.settings.emit === "text" ? 0 : 1);
    const isFine = data.turn < maxTurnsOf(agent, crew) && data.attempt <= attempts;
    return isFine ? [] : [`turn ${data.turn}, attempt ${data.attempt} at ${path} is beyond the limits`];
  });
  const completed = eventsOfType(events, "agent.completed").flatMap(({ path, agent = "", data }) =>
    data.turns <= maxTurnsOf(agent, crew) ? [] : [`${agent} at ${path} took ${data.turns} turns`],
  );
  return [...calls, ...completed];
}

/** A team has its own limits, and a supervisor one turn more than they say. */
function maxTurnsOf(agent: string, crew: Crew): number {
  const teams = [...crew.agents.values()].flatMap(({ team }) => team ?? []);
  const own = crew.agents.get(agent)?.limits.maxTurns ?? 0;
  const caps = teams.flatMap(({ memberMaxTurns = 0, supervisorMaxTurns = 0 }) => [memberMaxTurns, supervisorMaxTurns]);
  return teams.length === 0 ? own : Math.max(own, ...caps) + 1;
}
