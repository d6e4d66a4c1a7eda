import { listEntries } from "../flow/list-entries.ts";
import type { Crew, SubCrew } from "../vocabulary/crew.ts";

/**
 * A crew with one more sub-crew, to which whoever begins may delegate; one that it has by this name is replaced, and called wherever
 * that was.
 */
export function withSubCrew(crew: Crew, name: string, callee: Crew): Crew {
  const known = crew.subCrews.get(name);
  const added: SubCrew = {
    description: callee.description,
    sharedMemory: new Map(),
    quotas: [],
    ...known,
    crew: callee,
  };
  const subCrews = new Map(crew.subCrews).set(name, added);
  if (known !== undefined) return { ...crew, subCrews };
  const agents = new Map(crew.agents);
  for (const entry of listEntries(crew)) agents.set(entry.id, { ...entry, delegate: [...entry.delegate, name] });
  return { ...crew, agents, subCrews };
}
