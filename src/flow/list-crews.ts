import type { Agent, Crew } from "../vocabulary/crew.ts";

/**
 * Lists a crew and all its sub-crews by place. The place consists of the names of sub-crews, outermost first, and is empty for
 * the crew itself.
 */
export function listCrews(crew: Crew, place = ""): [place: string, crew: Crew][] {
  const below = [...crew.subCrews].flatMap(([name, subCrew]) => listCrews(subCrew.crew, joinPlace(place, name)));
  return [[place, crew], ...below];
}

/** Lists every agent of a crew and its sub-crews, by `<crew>/<agent>`. */
export function listAgents(crew: Crew): [name: string, agent: Agent][] {
  return listCrews(crew).flatMap(([place, { agents }]) =>
    [...agents.values()].map((agent): [string, Agent] => [joinPlace(place, agent.id), agent]),
  );
}

/** Changes every agent of a crew and of its sub-crews. */
export function changeAgents(crew: Crew, change: (agent: Agent, name: string) => Agent, place = ""): Crew {
  const agents = [...crew.agents].map(([id, agent]) => [id, change(agent, joinPlace(place, id))] as const);
  const subCrews = [...crew.subCrews].map(
    ([name, subCrew]) =>
      [name, { ...subCrew, crew: changeAgents(subCrew.crew, change, joinPlace(place, name)) }] as const,
  );
  return { ...crew, agents: new Map(agents), subCrews: new Map(subCrews) };
}

/** Puts the place of a crew in front of a name in it. */
export function joinPlace(place: string, name: string): string {
  return place === "" ? name : `${place}/${name}`;
}
