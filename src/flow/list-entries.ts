import type { Agent, Crew } from "../vocabulary/crew.ts";

/** The agents that a run may begin with: the entry point or, if the entry is chosen, every listed agent except the classifier. */
export function listEntries({ entryPoint, listed, agents, settings }: Crew): Agent[] {
  const ids = entryPoint.type === "agent" ? [entryPoint.agent] : listed;
  const all = ids.flatMap((id) => agents.get(id) ?? []);
  const others = entryPoint.type === "agent" ? all : all.filter(({ id }) => id !== settings.classifier);
  return others.length === 0 ? all : others;
}
