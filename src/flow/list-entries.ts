import type { Agent, Crew } from "../vocabulary/crew.ts";

/** Who may begin: the entry point, or where that is chosen every agent of the list but the one that chooses, unless it is alone. */
export function listEntries({ entryPoint, listed, agents, settings }: Crew): Agent[] {
  const ids = entryPoint.type === "agent" ? [entryPoint.agent] : listed;
  const all = ids.flatMap((id) => agents.get(id) ?? []);
  const others = entryPoint.type === "agent" ? all : all.filter(({ id }) => id !== settings.classifier);
  return others.length === 0 ? all : others;
}
