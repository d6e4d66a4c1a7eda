import type { Crew } from "../../vocabulary/crew.ts";
import { findFallbackAfterGroup } from "../transitions.ts";
import { stopWays } from "./line-ways.ts";
import { type GroupSpot, openSpot, type Way } from "./spot.ts";

/** What may follow the join of a group: its next agent, or where its emitter's answer would have gone. */
export function listGroupWays({ group: name, emitter }: GroupSpot, crew: Crew): Way[] {
  const group = name === undefined ? undefined : crew.groups.get(name);
  const step = { isSilent: false, isPass: false, isAnswered: false };
  const next = group?.nextAgent;
  if (next !== undefined) return [{ ...step, to: openSpot(next, "line", emitter.deferred), handoffs: 1, by: "next" }];
  const standing = name === undefined ? "passed" : "line";
  const [transition] = findFallbackAfterGroup(crew, name ?? "", emitter.agent, standing);
  const stop = transition?.stop ?? ({ type: "end", stopReason: "answer" } as const);
  // A group that another hands over to has nobody to ask for a list again.
  return stopWays(stop, emitter, crew).filter(({ to, by }) => !(to.type === "agent" && by === "no list"));
}
