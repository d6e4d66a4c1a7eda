import type { Crew } from "../vocabulary/crew.ts";

/** The crew that an agent belongs to, by the agent's name in pauses and on screens: `lab/meter` is one of the sub-crew `lab`. */
export function findAgentCrew(name: string, crew: Crew): Crew {
  for (const [key, subCrew] of crew.subCrews)
    if (name.startsWith(`${key}/`)) return findAgentCrew(name.slice(key.length + 1), subCrew.crew);
  return crew;
}

/** The crews around an agent by the same name, the nearest first. */
export function listCrewsAround(name: string, crew: Crew): Crew[] {
  for (const [key, subCrew] of crew.subCrews)
    if (name.startsWith(`${key}/`)) return [...listCrewsAround(name.slice(key.length + 1), subCrew.crew), crew];
  return [crew];
}
