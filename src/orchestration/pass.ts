import type { EventPlace, HandoffVia } from "../vocabulary/events.ts";
import type { CrewOutcome, CrewRun } from "./crew-run.ts";
import { checkRounds, endAtHandoffs, refusalBy, spentHandoffs } from "./limits.ts";

/** A handoff as it is asked for. */
interface PassedOn {
  readonly from: string;
  readonly to: string;
  readonly via: HandoffVia;
  readonly reason: string;
  /** Whom the work goes to, where that is a group. */
  readonly members?: readonly string[];
  /** Whether an agent transfers it to them. */
  readonly isTransfer?: boolean;
}

/**
 * The one door: every handoff of every kind is limited, counted and journalled here. Gives the end of the run where the
 * handoff is refused.
 */
export function pass(crewRun: CrewRun, place: EventPlace, handoff: PassedOn): CrewOutcome | undefined {
  const { world, shared } = crewRun;
  const { from, to, via, reason, isTransfer = via === "transfer" } = handoff;
  const ended = checkRounds(crewRun);
  if (ended !== undefined) return ended;
  const spent = spentHandoffs(crewRun);
  if (spent !== undefined) {
    world.run.emit(place, "handoff.refused", { from, to, via, reason, ...refusalBy(spent) });
    return endAtHandoffs(crewRun, spent, handoff);
  }
  crewRun.handoffs++;
  shared.handoffs++;
  const told = { from, to, via, reason, n: crewRun.handoffs };
  if (isTransfer) crewRun.transferredAt = crewRun.path.length;
  // The work was transferred, and comes back to one that had it before, whichever way.
  const isCircular = crewRun.transferredAt > 0 && comesBack(crewRun, handoff);
  world.run.emit(place, "handoff", isCircular ? { ...told, circular: true } : told);
  return undefined;
}

/** Whether work that was transferred since its target had it goes back there. */
function comesBack({ path, transferredAt }: CrewRun, { to, members = [to] }: PassedOn): boolean {
  return members.some((agent) => {
    const index = path.lastIndexOf(agent);
    return index >= 0 && index < transferredAt;
  });
}
