import type { EventPlace } from "./events.ts";

/** Who acts, with its crew where that is not the run's own: `teacher`, `board/teacher`; `board` where it is the crew as a whole. */
export function speakerOf({ agent, crew }: Pick<EventPlace, "agent" | "crew">): string {
  return crew === undefined || agent === undefined ? (agent ?? crew ?? "") : `${crew}/${agent}`;
}
