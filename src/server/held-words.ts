import { holdsOutput } from "../orchestration/patterns/speak-guarded.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** Whether guards look at the output of the crew, or of one that it calls, before anybody may read it. */
export function isHeld({ guards, subCrews }: Crew): boolean {
  return holdsOutput(guards) || [...subCrews.values()].some(({ crew }) => isHeld(crew));
}
