import type { Agent, Crew } from "../vocabulary/crew.ts";
import { listJudges } from "../vocabulary/guard.ts";

const known = new WeakMap<Crew, ReadonlySet<string>>();

/** Agents that only another agent's pattern refers to. They work for that agent, so the list skips them. */
export function findPatternOnlyAgents(crew: Crew): ReadonlySet<string> {
  const found = known.get(crew) ?? findPatternOnly(crew);
  known.set(crew, found);
  return found;
}

function findPatternOnly(crew: Crew): ReadonlySet<string> {
  const helpers = new Set([...[...crew.agents.values()].flatMap(listPatternReferences), ...listJudges(crew.guards)]);
  for (const agent of listRouteTargets(crew)) helpers.delete(agent);
  return helpers;
}

function listPatternReferences({ id, team, advisors, router, subAgents, handoff, guards }: Agent): string[] {
  const referred = [
    ...(team === undefined ? [] : [...team.members, team.supervisor]),
    ...advisors,
    ...listJudges(guards),
    ...(router?.destinations ?? []).map(({ agent }) => agent),
    ...subAgents,
    ...(handoff === undefined ? [] : [handoff.to]),
  ];
  return referred.filter((other) => other !== id);
}

/** Agents that the crew's own routing leads to. */
function listRouteTargets({ entryPoint, bindings, defaults, groups, agents }: Crew): string[] {
  const bound = [...bindings.values()].flat().flatMap(({ move }) => {
    if (move.type === "route") return move.target;
    return move.type === "sub_crew" ? move.returnTo : [];
  });
  return [
    ...(entryPoint.type === "agent" ? [entryPoint.agent] : []),
    ...bound,
    ...[...defaults.values()].filter((target) => target !== null),
    ...[...groups.values()].flatMap((group) => [
      ...group.agents,
      ...(group.nextAgent === undefined ? [] : [group.nextAgent]),
    ]),
    ...[...agents.values()].flatMap(({ handoffTargets }) => handoffTargets),
  ];
}
