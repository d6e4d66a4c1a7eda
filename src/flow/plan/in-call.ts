import type { Agent, Crew } from "../../vocabulary/crew.ts";
import { listJudges } from "../../vocabulary/guard.ts";
import { findCycles } from "../find-cycles.ts";

interface InCrew {
  readonly crew: Crew;
}

/** An agent that declares a team which another supervises. */
export function isFace({ id, team }: Agent): boolean {
  return team !== undefined && team.supervisor !== id;
}

function mayTransfer(agent: Agent, { settings }: Crew): boolean {
  return agent.collaborations.length > 0 && settings.handoffsEnabled && !isFace(agent);
}

/** Whom an agent may choose: destinations of a router, collaborators. */
export function listChosen(agent: Agent, crew: Crew): string[] {
  if (isFace(agent)) return [];
  const destinations = agent.function === undefined ? (agent.router?.destinations ?? []) : [];
  const all = [...destinations, ...(mayTransfer(agent, crew) ? agent.collaborations : [])];
  return [...new Set(all.map((each) => each.agent))].filter((id) => crew.agents.has(id));
}

/** Whom an agent transfers to at once, where it may. */
export function listJoint(agent: Agent, crew: Crew): string[] {
  if (!agent.parallelHandoffs || !mayTransfer(agent, crew)) return [];
  const joint = agent.collaborations.map((each) => each.agent).filter((id) => crew.agents.has(id));
  return joint.length < 2 || agent.limits.maxToolCallsPerTurn < 2 ? [] : joint;
}

/** Whether nothing follows an agent that is called but its answer. */
export function isPlain({ crew }: InCrew, id: string): boolean {
  const agent = crew.agents.get(id);
  return agent === undefined || (agent.handoff === undefined && !isFace(agent) && listChosen(agent, crew).length === 0);
}

/** All who may speak where an agent is called, and whether the work may come back to one of them. */
export interface CallReach {
  readonly agents: readonly Agent[];
  readonly isCircular: boolean;
}

export function reachInCall({ crew }: InCrew, id: string): CallReach {
  const edges = new Map<string, string[]>();
  const queue = [id];
  for (const next of queue) {
    const agent = crew.agents.get(next);
    if (agent === undefined || edges.has(next)) continue;
    const followers = listFollowers(agent, crew);
    edges.set(next, followers);
    queue.push(...followers);
  }
  return {
    agents: [...edges.keys()].flatMap((each) => crew.agents.get(each) ?? []),
    isCircular: findCycles(edges).length > 0,
  };
}

function listFollowers(agent: Agent, crew: Crew): string[] {
  return [
    ...(agent.team !== undefined && isFace(agent) ? [agent.team.supervisor] : []),
    ...listChosen(agent, crew),
    ...(agent.handoff === undefined ? [] : [agent.handoff.to]),
  ];
}

/** Agents from which a call may come back to one whose call is still going on. */
export function findRecursiveAgents(crew: Crew): ReadonlySet<string> {
  const calls = new Map([...crew.agents.values()].map((agent) => [agent.id, listCalled(agent, crew)]));
  const edges = new Map(
    [...crew.agents.values()].map((agent) => [
      agent.id,
      [...listFollowers(agent, crew), ...(calls.get(agent.id) ?? [])],
    ]),
  );
  if (![...calls.values()].some((called) => called.length > 0)) return new Set();
  const recursive = new Set<string>();
  for (const [id, called] of calls) if (called.some((each) => leadsTo(each, id, edges))) recursive.add(id);
  const [first] = recursive;
  if (first === undefined) return recursive;
  return new Set([...edges.keys()].filter((id) => [...recursive].some((each) => leadsTo(id, each, edges))));
}

function listCalled(agent: Agent, crew: Crew): string[] {
  const teams = [...crew.agents.values()].flatMap(({ team }) => (team?.supervisor === agent.id ? team.members : []));
  const called = [
    ...agent.subAgents,
    ...agent.advisors,
    ...listJudges(agent.guards),
    ...teams,
    ...listJoint(agent, crew),
  ];
  return called.filter((id) => crew.agents.has(id));
}

function leadsTo(from: string, to: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set([from]);
  for (const next of seen) {
    if (next === to) return true;
    for (const each of edges.get(next) ?? []) seen.add(each);
  }
  return false;
}
