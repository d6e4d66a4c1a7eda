import type { Agent, Crew } from "../vocabulary/crew.ts";

/** A crew and all below it; by place, as in events: names of sub-crews from the outermost in, empty for the crew itself. */
export function listCrews(crew: Crew, place = ""): [place: string, crew: Crew][] {
  const below = [...crew.subCrews].flatMap(([name, subCrew]) => listCrews(subCrew.crew, joinPlace(place, name)));
  return [[place, crew], ...below];
}

/** Every agent of a crew and of all below it, by `<crew>/<agent>`. */
export function listAgents(crew: Crew): [name: string, agent: Agent][] {
  return listCrews(crew).flatMap(([place, { agents }]) =>
    [...agents.values()].map((agent): [string, Agent] => [joinPlace(place, agent.id), agent]),
  );
}

/** A crew with every agent changed, and those of all crews below it. */
export function changeAgents(crew: Crew, change: (agent: Agent, name: string) => Agent, place = ""): Crew {
  const agents = [...crew.agents].map(([id, agent]) => [id, change(agent, joinPlace(place, id))] as const);
  const subCrews = [...crew.subCrews].map(
    ([name, subCrew]) =>
      [name, { ...subCrew, crew: changeAgents(subCrew.crew, change, joinPlace(place, name)) }] as const,
  );
  return { ...crew, agents: new Map(agents), subCrews: new Map(subCrews) };
}

/** The name of something in a crew, by the crew's place. */
export function joinPlace(place: string, name: string): string {
  return place === "" ? name : `${place}/${name}`;
}
