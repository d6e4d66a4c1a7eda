import type { EventPlace } from "../vocabulary/events.ts";

/**
 * Whether a name in a scenario means an agent. The name can be its id, its crew's name and its id, or its crew's place and its
 * id.
 */
export function isNamed({ agent, crew }: EventPlace, name: string): boolean {
  if (agent === name) return true;
  return (
    crew !== undefined && [crew, crew.slice(crew.lastIndexOf("/") + 1)].some((each) => `${each}/${agent}` === name)
  );
}
