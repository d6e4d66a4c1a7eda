import type { Team } from "../../vocabulary/crew.ts";
import type { AgentBounds } from "./agent-bounds.ts";
import { boundsAt, type CrewAt, enterAt, once, roundContext } from "./crew-at.ts";
import { isPlain } from "./in-call.ts";
import { capOfQuotas } from "./quota-bounds.ts";
import { modelCallWork } from "./session-work.ts";
import { countSupervisorTurns, membersWork } from "./team-work.ts";
import { addWork, capWork, largestWork, noWork, repeatWork, type Work } from "./work.ts";

/** One time that an agent is asked something, with all that it calls before it answers. */
export interface Asking {
  readonly agent: string;
  /** How much was said before, in tokens. */
  readonly said: number;
  readonly isCalled?: boolean;
  /** The team that it supervises in this, where another agent declares it. */
  readonly team?: Team | undefined;
  /** Whether its advisors and its team have been heard already. */
  readonly isRepeated?: boolean;
  readonly isReminder?: boolean;
  /** Turns of a member of a team. */
  readonly memberTurns?: number | undefined;
  /** Whether nothing is summed up for those it calls, since that is what it is asked for itself. */
  readonly isOfSummary?: boolean | undefined;
  /** How deep calls are nested. */
  readonly depth?: number | undefined;
}

/** The most that asking an agent takes: its advisors, then its session or the team that it supervises. */
export function askWork(at: CrewAt, asking: Asking): Work {
  const said = at.survey.measure.readsContext ? roundContext(asking.said) : 0;
  const { agent, isCalled, team, isRepeated, isReminder, memberTurns, isOfSummary } = asking;
  const depth = at.recursive.has(agent) ? (asking.depth ?? 1) : 1;
  const how = [isCalled, team?.members.join(), isRepeated, isReminder, memberTurns, isOfSummary, depth];
  const key = [agent, said, ...how].join("|");
  return once(at, `ask ${key}`, () => findWork(at, { ...asking, said, depth }));
}

function findWork(at: CrewAt, asking: Asking): Work {
  const { agent: id, said, team, isRepeated = false, isReminder = false } = asking;
  const bounds = boundsAt(at, id);
  const { agent } = bounds;
  at.survey.reached.set(bounds.name, bounds);
  const isFirst = !isRepeated && !isReminder;
  const advised = isFirst ? adviceWork(at, bounds, asking) : noWork;
  const isBare = isSilentFace(bounds);
  const heard = said + (isFirst ? agent.advisors.length * largestOutput(at, agent.advisors) : 0);
  const own = team ?? agent.team;
  const spoken =
    isFirst && own?.supervisor === id
      ? teamWork(at, { ...asking, said: heard }, bounds, own)
      : isBare
        ? noWork
        : sessionWork(at, { ...asking, said: heard }, bounds, asking.memberTurns ?? bounds.turns);
  const asked = isBare
    ? []
    : bounds.asks.map((each) => at.survey.callWork(at, { ...inside(asking), agent: each, said }));
  return capWork(addWork(advised, spoken, ...asked), capOfQuotas(agent.quotas, at.survey.measure));
}

/** A team with its supervisor, who has one more turn than its limit to finish in. */
function teamWork(at: CrewAt, asking: Asking, bounds: AgentBounds, team: Team): Work {
  const { said, isOfSummary = false } = asking;
  const members = membersWork(at, asking, bounds, team);
  const summed = summaryWork(at, said, isOfSummary, at.crew.settings.history ?? "none");
  return addWork(members, summed, sessionWork(at, asking, bounds, countSupervisorTurns(bounds, team), 1));
}

/** An agent that only introduces a team, and has nothing to say itself. */
export function isSilentFace({ agent: { id, team, prompt, function: own } }: Pick<AgentBounds, "agent">): boolean {
  return team !== undefined && team.supervisor !== id && own === undefined && prompt.trim() === "";
}

function largestOutput(at: CrewAt, agents: readonly string[]): number {
  return Math.max(0, ...agents.map((id) => boundsAt(at, id).outputTokens));
}

/** What is the same for all that an agent calls. */
function inside({ isOfSummary, depth = 1 }: Asking) {
  return { isOfSummary, depth: depth + 1 };
}

function adviceWork(at: CrewAt, { agent }: AgentBounds, asking: Asking): Work {
  const { said, isOfSummary = false } = asking;
  if (agent.advisors.length === 0) return noWork;
  const advice = agent.advisors.map((id) => at.survey.callWork(at, { ...inside(asking), agent: id, said }));
  const { isTime } = at.survey.measure;
  const heard = isTime ? capWork(largestWork(advice), agent.limits.advisorTimeoutMs / 1000) : addWork(...advice);
  return addWork(heard, summaryWork(at, said, isOfSummary, at.crew.settings.history ?? "none"));
}

/** What is said before is summed up by an agent, where the crew wants that. */
export function summaryWork(at: CrewAt, said: number, isOfSummary: boolean, mode: "full" | "summary" | "none"): Work {
  const { summarizer } = at.crew.settings;
  if (mode !== "summary" || isOfSummary || summarizer === undefined || !at.crew.agents.has(summarizer)) return noWork;
  return at.survey.callWork(at, { agent: summarizer, said, isOfSummary: true });
}

/** A session: its model calls, and as many tool calls as it may make on all turns but its last. */
function sessionWork(at: CrewAt, asking: Asking, bounds: AgentBounds, turns: number, forced = 0): Work {
  const { measure } = at.survey;
  const { said, isCalled = false, isReminder = false, memberTurns } = asking;
  const calls = modelCallWork(
    { bounds, turns: turns + forced, said, isCalled, isReminder, isMember: memberTurns !== undefined },
    measure,
  );
  return addWork(calls, toolWork(at, bounds, asking, turns - 1));
}

/** The tool calls of so many turns, each of them the one that takes the most. */
export function toolWork(at: CrewAt, bounds: AgentBounds, asking: Asking, turns: number): Work {
  const { measure } = at.survey;
  const count = turns * bounds.agent.limits.maxToolCallsPerTurn;
  if (!bounds.hasTools || count <= 0) return noWork;
  const own: Work = { value: measure.toolCall, groups: [], inside: [] };
  const options = listOptions(at, bounds, asking);
  const best = largestWork(options);
  const asked = clarificationWork(at, bounds, asking, count, options);
  // Calls of one turn go on at once, but for tools that want to be alone.
  const isOwn = measure.isTime && best.value === measure.tool(bounds);
  const times = measure.isTime && !isOwn ? turns : count;
  const inside = asked.value > best.value * times ? asked : repeatWork(times, best);
  return addWork(repeatWork(count, own), inside);
}

/** What each kind of tool call leads to, besides being one. */
function listOptions(at: CrewAt, bounds: AgentBounds, asking: Asking): Work[] {
  const { said, isOfSummary = false } = asking;
  const { measure } = at.survey;
  const { agent, outputTokens, crew } = bounds;
  const { history = "summary" } = crew.settings;
  const isShown = crew.settings.history !== undefined && crew.settings.history !== "none";
  const heard = outputTokens + (isShown || hasBroadcasts(at) ? said : 0);
  const called = agent.subAgents
    .filter((id) => crew.agents.has(id))
    .map((id) => at.survey.callWork(at, { ...inside(asking), agent: id, said: heard }));
  const delegated = agent.delegate.map((name) => {
    const entered = enterAt(at, name);
    const summed = summaryWork(at, said, isOfSummary, history);
    if (entered === undefined) return summed;
    const run = at.survey.crewWork(entered, history === "none" ? outputTokens : said + outputTokens);
    const timeout = measure.isTime ? crew.settings.subCrewTimeoutMs / 1000 : Number.POSITIVE_INFINITY;
    const cap = Math.min(timeout, capOfQuotas(crew.subCrews.get(name)?.quotas ?? [], measure));
    return addWork(summed, capWork(run, cap));
  });
  const effects = agent.tools.length > 0 ? [{ value: measure.tool(bounds), groups: [], inside: [] }] : [];
  const composed = agent.compose && crew.agents.size > 1 ? [composition(at, said, isOfSummary)] : [];
  return [...effects, ...called, ...delegated, ...composed];
}

/** What is composed is added once for the whole run, which limits it. */
function composition(at: CrewAt, said: number, isOfSummary: boolean): Work {
  const { history = "summary" } = at.crew.settings;
  const summed = summaryWork(at, said, isOfSummary, history);
  return addWork(summed, { value: at.survey.measure.composition, groups: [], inside: [] });
}

/** Questions to advisors that answered. Each is one more turn, of which only those with an answer count for the advisor. */
function clarificationWork(
  at: CrewAt,
  { agent }: AgentBounds,
  asking: Asking,
  count: number,
  options: readonly Work[],
): Work {
  const { measure } = at.survey;
  const { said } = asking;
  const works = agent.advisors.flatMap((id) => {
    const bounds = boundsAt(at, id);
    if (!bounds.agent.chat || bounds.turns < 2) return [];
    if (!isPlain(at, id))
      return [repeatWork(count, at.survey.callWork(at, { ...inside(asking), agent: id, said, isAgain: true }))];
    if (bounds.agent.function !== undefined)
      return [repeatWork(count, { value: measure.tool(bounds), groups: [], inside: [] })];
    const turn = modelCallWork(
      { bounds, turns: 1, said: bounds.window, isCalled: true, isReminder: false, isMember: false },
      measure,
    );
    return [repeatWork(count - 1, turn)];
  });
  const most = largestWork(works);
  // An agent that also has sub-agents calls those instead, unless its advisors take more.
  return options.length === 0 || most.value > 0 ? most : noWork;
}

function hasBroadcasts({ crew }: CrewAt): boolean {
  return [...crew.bindings.values()].some((bound) => bound.some(({ move }) => move.type === "broadcast"));
}
