import type { EventPlace } from "../../vocabulary/events.ts";
import type { CrewRun } from "../crew-run.ts";
import type { Move } from "../move.ts";
import { whyUnmet } from "./condition.ts";
import type { Spoken } from "./handoff.ts";

/** Says why a declared handoff did not happen, where its `when` was looked at and did not hold. */
export function tellUnmet({ agent, facts }: Spoken, place: EventPlace, { crew, world }: CrewRun): void {
  const { handoff } = agent;
  const isWanted = facts.status === "completed" || handoff?.onFailure === "continue";
  if (handoff === undefined || !isWanted) return;
  const reason = whyUnmet(handoff.when, facts, crew.settings.signalScope);
  if (reason !== undefined) world.run.emit(place, "handoff.skipped", { from: agent.id, to: handoff.to, reason });
}

/** Whether an agent's own handoff would have come before this move, so that it was looked at. */
export function comesAfterHandoff(move: Move): boolean {
  switch (move.type) {
    case "route":
    case "parallel":
      return move.via === "fallback";
    case "end":
      return move.stopReason !== "signal";
    case "pause":
      return move.reason !== "signal";
    case "repair":
      return true;
    default:
      return false;
  }
}
