import type { Agent, Crew } from "../vocabulary/crew.ts";

/** The agent of an id that the crew's own files gave. */
export function findAgent({ agents }: Crew, id: string): Agent {
  const agent = agents.get(id);
  if (agent === undefined) throw new Error(`the crew has no agent '${id}'; loading should have said so`);
  return agent;
}
