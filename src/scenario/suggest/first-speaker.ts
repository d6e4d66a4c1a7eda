import type { Agent, Crew } from "../../vocabulary/crew.ts";

/** The agent of a sub-crew that begins, as scripts name it. */
export function findFirstSpeaker(crew: Crew, name: string): string {
  return `${name}/${findFirstAgent(crew, name)?.id ?? ""}`;
}

/** The agent of a sub-crew that begins. */
export function findFirstAgent(crew: Crew, name: string): Agent | undefined {
  const callee = crew.subCrews.get(name)?.crew;
  if (callee === undefined) return undefined;
  const id = callee.entryPoint.type === "agent" ? callee.entryPoint.agent : callee.listed[0];
  return callee.agents.get(id ?? "");
}
