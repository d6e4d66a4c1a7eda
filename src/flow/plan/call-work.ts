import type { Agent, Team } from "../../vocabulary/crew.ts";
import { askWork, isSilentFace, summaryWork, toolWork } from "./ask-work.ts";
import { boundsAt, type Calling, type CrewAt, once, roundContext } from "./crew-at.ts";
import { deferOwn, findDue, withoutOwn } from "./deferred-handoffs.ts";
import { isFace, listChosen, listJoint, reachInCall } from "./in-call.ts";
import type { Measure } from "./measure.ts";
import { modelCallWork } from "./session-work.ts";
import { addWork, capWork, largestWork, noWork, repeatWork, type Work } from "./work.ts";

/** The most that calling an agent from inside another or a group takes, with all to whom it passes its work on. */
export function callWork(at: CrewAt, calling: Calling): Work {
  const said = at.survey.measure.readsContext ? roundContext(calling.said) : 0;
  const { agent, isOfSummary, memberTurns, isAgain } = calling;
  const depth = at.recursive.has(agent) ? (calling.depth ?? 1) : 1;
  if (depth > DEEPEST) return tooDeep(at, agent);
  const key = ["call", agent, said, isOfSummary, memberTurns, isAgain, depth].join("|");
  return once(at, key, () => findCallWork(at, { ...calling, said, depth }));
}

/** Deeper calls than these have no figure that means anything. */
const DEEPEST = 60;

function tooDeep(at: CrewAt, agent: string): Work {
  at.survey.endless.set(
    boundsAt(at, agent).name,
    "transfers lead back to an agent that called it, and so on; only timeouts end that in time",
  );
  return { value: endlessValue(at.survey.measure), groups: [], inside: [] };
}

function findCallWork(at: CrewAt, calling: Calling): Work {
  const { depth = 1 } = calling;
  const mayChoose = depth <= at.crew.agents.size;
  const { agents, isCircular } = reachInCall(at, calling.agent);
  if (isCircular && mayChoose) return circularWork(at, calling, agents);
  return chainWork(at, { ...calling, deferred: [], team: undefined, isFirst: true, mayChoose });
}

/** A stage of a chain: who has the work, and whose handoffs wait until the chain ends. */
interface Stage extends Calling {
  readonly deferred: readonly string[];
  readonly team: Team | undefined;
  readonly isFirst: boolean;
  readonly mayChoose: boolean;
}

/** In a chain that cannot come back to anybody, all ways can be walked. */
function chainWork(at: CrewAt, stage: Stage): Work {
  const { agent: id, said, deferred, team, isFirst, isAgain, isOfSummary, memberTurns, mayChoose } = stage;
  const key = [
    "chain",
    id,
    said,
    deferred.join(),
    team?.members.join(),
    isFirst && isAgain,
    isOfSummary,
    memberTurns,
    mayChoose,
    stage.depth,
  ];
  return once(at, key.join("|"), () => {
    const isRepeated = isFirst && isAgain === true;
    const asked = askWork(at, {
      agent: id,
      said,
      isCalled: true,
      team,
      isRepeated,
      memberTurns,
      isOfSummary,
      depth: stage.depth,
    });
    return addWork(asked, largestWork(listContinuations(at, stage)));
  });
}

function listContinuations(at: CrewAt, stage: Stage): Work[] {
  const { crew } = at;
  const { deferred, mayChoose, isOfSummary = false } = stage;
  const bounds = boundsAt(at, stage.agent);
  const { agent } = bounds;
  const said = stage.said + (bounds.turns + 1) * bounds.turnTokens;
  const summed = summaryWork(at, said, isOfSummary, crew.settings.history ?? "none");
  const pass = (to: string, left: readonly string[], team?: Team): Work =>
    addWork(summed, chainWork(at, { ...stage, agent: to, said, deferred: left, team, isFirst: false }));
  const passDeferred = (status: "completed" | "failed", from: readonly string[]): Work[] =>
    findDue(crew, from, status).map(({ to, left }) => pass(to, left));
  const withOwn = deferOwn(agent, deferred);
  const ends = isSilentFace(bounds) ? [] : [...failedOwn(agent, deferred, pass), ...passDeferred("failed", deferred)];
  if (agent.team !== undefined && isFace(agent)) return [pass(agent.team.supervisor, withOwn, agent.team), ...ends];
  const chosen = mayChoose ? listChosen(agent, crew).map((to) => pass(to, withOwn)) : [];
  const together = mayChoose ? jointWork(at, stage, listJoint(agent, crew)) : [];
  const joined = together.flatMap((work) => [
    work,
    ...passDeferred("completed", withOwn).map((next) => addWork(work, next)),
  ]);
  const own = agent.handoff === undefined ? [] : [pass(agent.handoff.to, withoutOwn(agent, deferred))];
  const isCertain = agent.handoff !== undefined && agent.handoff.when === undefined;
  const after = isCertain || agent.isTerminal ? [] : passDeferred("completed", deferred);
  return [...chosen, ...joined, ...own, ...after, ...ends];
}

function failedOwn(
  agent: Agent,
  deferred: readonly string[],
  pass: (to: string, left: readonly string[]) => Work,
): Work[] {
  const { handoff } = agent;
  return handoff?.onFailure === "continue" ? [pass(handoff.to, withoutOwn(agent, deferred))] : [];
}

/** Work that is transferred to several at once: each is called on its own. */
function jointWork(at: CrewAt, { said, isOfSummary, depth = 1, agent }: Stage, joint: readonly string[]): Work[] {
  if (joint.length === 0) return [];
  const { turns, turnTokens } = boundsAt(at, agent);
  const heard = said + (turns + 1) * turnTokens;
  const called = joint.map((id) => callWork(at, { agent: id, said: heard, isOfSummary, depth: depth + 1 }));
  return [joinCalls(called, at.survey.measure, at.crew.settings.parallelTimeoutMs)];
}

export function joinCalls(works: readonly Work[], { isTime }: Measure, timeoutMs: number): Work {
  return isTime ? capWork(largestWork(works), timeoutMs / 1000) : addWork(...works);
}

/**
 * Where transfers lead round in circles, the turns of those who are transferred to end that: an agent that has taken all its turns in a
 * call is not transferred to any more. Everybody who can be reached is added up.
 */
function circularWork(at: CrewAt, calling: Calling, agents: readonly Agent[]): Work {
  const { crew, survey } = at;
  const failing = agents.find(({ handoff }) => handoff?.onFailure === "continue");
  if (failing !== undefined) {
    const { name } = boundsAt(at, failing.id);
    survey.endless.set(
      name,
      "within a call, transfers may come back to it as often as it fails, since 'on_failure: continue' passes the work on; only timeouts end that",
    );
    return {
      value: survey.measure.isTime ? Number.POSITIVE_INFINITY : endlessValue(survey.measure),
      groups: [],
      inside: [],
    };
  }
  const limited = new Set(agents.flatMap((agent) => listChosen(agent, crew)));
  const visits = new Map<string, number>();
  return addWork(
    ...agents.map((agent) =>
      visitsWork(at, calling, agent, agents, countVisits(agent, calling, agents, limited, visits)),
    ),
  );
}

/** Handoffs and rounds inside a call do not count. */
function endlessValue({ figure }: Measure): number {
  return figure === "handoffs" || figure === "allHandoffs" || figure === "rounds" ? 0 : Number.POSITIVE_INFINITY;
}

interface Visits {
  /** By transfer or router: each takes a turn at least, and none is left when all are taken. */
  readonly isLimited: boolean;
  /** By handoff or as the supervisor of a team. */
  readonly others: number;
}

function countVisits(
  agent: Agent,
  { agent: first }: Calling,
  agents: readonly Agent[],
  limited: ReadonlySet<string>,
  known: Map<string, number>,
): Visits {
  const isLimited = limited.has(agent.id);
  const own = agent.id === first && !isLimited ? 1 : 0;
  return { isLimited, others: own + countPassed(agent) };

  function countPassed({ id }: Agent): number {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Handoffs and teams never refer to each other in a circle.
    const from = agents.filter(
      ({ handoff, team, id: by }) => handoff?.to === id || (team?.supervisor === id && by !== id),
    );
    const count = from.reduce((sum, each) => sum + countAll(each) * countWays(each, id), 0);
    known.set(id, count);
    return count;
  }

  function countAll(each: Agent): number {
    const entered = limited.has(each.id) ? each.limits.maxTurns : each.id === first ? 1 : 0;
    return entered + countPassed(each);
  }
}

function countWays({ handoff, team }: Agent, to: string): number {
  return (handoff?.to === to ? 1 : 0) + (team?.supervisor === to ? 1 : 0);
}

function visitsWork(
  at: CrewAt,
  calling: Calling,
  agent: Agent,
  agents: readonly Agent[],
  { isLimited, others }: Visits,
): Work {
  const { said, isOfSummary = false, memberTurns, depth } = calling;
  const { crew, survey } = at;
  const bounds = boundsAt(at, agent.id);
  const heard = survey.measure.readsContext ? Number.MAX_SAFE_INTEGER : said;
  const asking = { agent: agent.id, said: heard, isCalled: true, isOfSummary, memberTurns, depth };
  const team = findFaceTeam(agent, agents);
  const one = askWork(at, { ...asking, team });
  const summed = summaryWork(at, heard, isOfSummary, crew.settings.history ?? "none");
  const joint = addWork(
    summed,
    ...jointWork(
      at,
      { ...calling, said: heard, agent: agent.id, deferred: [], team, isFirst: false, mayChoose: true },
      listJoint(agent, crew),
    ),
  );
  const limit = agent.limits.maxTurns;
  if (!isLimited) return repeatWork(others, addWork(one, joint));
  const { function: own } = agent;
  const again =
    own === undefined
      ? addWork(againWork(at, asking, limit - 1), repeatWork(limit - 1, visitWork(at, asking, team)))
      : repeatWork(limit - 1, one);
  return addWork(one, again, repeatWork(others, one), repeatWork(limit + others, joint));

  /** The turns before an agent is transferred to for the last time. */
  function againWork(place: CrewAt, asked: typeof asking, turns: number): Work {
    const question = {
      bounds,
      turns,
      said: heard,
      isCalled: true,
      isReminder: false,
      isMember: memberTurns !== undefined,
    };
    if (turns <= 0) return noWork;
    return addWork(modelCallWork(question, survey.measure), toolWork(place, bounds, asked, turns));
  }
}

/** What each visit takes besides turns: advisors, and a team. */
function visitWork(at: CrewAt, asking: Parameters<typeof askWork>[1], team: Team | undefined): Work {
  const whole = askWork(at, { ...asking, team });
  const bare = askWork(at, { ...asking, isRepeated: true });
  return {
    ...whole,
    value: Math.max(0, whole.value - bare.value) || 0,
    inside: [
      [1, whole],
      [-1, bare],
    ],
    groups: [],
  };
}

/** The team that an agent may supervise for a face that passes its task on. */
function findFaceTeam({ id, team: own }: Agent, agents: readonly Agent[]): Team | undefined {
  if (own?.supervisor === id) return undefined;
  return agents.find(({ id: face, team }) => team?.supervisor === id && face !== id)?.team;
}
