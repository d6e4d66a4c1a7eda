import type { Crew } from "../vocabulary/crew.ts";

/**
 * The crew that an agent belongs to. The name is the one that pauses and screens show: `lab/meter` belongs to the sub-crew
 * `lab`.
 */
export function findAgentCrew(name: string, crew: Crew): Crew {
  for (const [key, subCrew] of crew.subCrews)
    if (name.startsWith(`${key}/`)) return findAgentCrew(name.slice(key.length + 1), subCrew.crew);
  return crew;
}

/** The crews around an agent, nearest first. The name is the same as for `findAgentCrew`. */
export function listCrewsAround(name: string, crew: Crew): Crew[] {
  for (const [key, subCrew] of crew.subCrews)
    if (name.startsWith(`${key}/`)) return [...listCrewsAround(name.slice(key.length + 1), subCrew.crew), crew];
  return [crew];
}
