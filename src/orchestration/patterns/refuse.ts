import type { EventPlace } from "../../vocabulary/events.ts";
import type { Refuse, Wish } from "../agent-call.ts";
import type { CrewRun } from "../crew-run.ts";
import { refusalBy, spentHandoffs } from "../limits.ts";

/** Refuses a handoff beyond the limit in one turn, so that the agent can answer itself. A handoff in a later turn ends the run. */
export function refuseOnce(crewRun: CrewRun): Refuse {
  let toldIn: number | undefined;
  return (wish, place, turn) => {
    const spent = spentHandoffs(crewRun);
    if (spent === undefined || (toldIn !== undefined && toldIn !== turn)) return undefined;
    toldIn = turn;
    crewRun.world.run.emit(place, "handoff.refused", { ...wish, ...refusalBy(spent) });
    return `no more handoffs are allowed: ${spent.setting} is ${spent.limit}`;
  };
}

const ALLOWED_REPETITIONS = 2;

/** The third identical transfer is refused: whoever repeats it goes round in circles. */
export function refuseRepeated(wish: Wish, context: string, crewRun: CrewRun, place: EventPlace): string | undefined {
  crewRun.transfers ??= new Map();
  const key = JSON.stringify([wish.from, wish.to, context]);
  const count = crewRun.transfers.get(key) ?? 0;
  if (count < ALLOWED_REPETITIONS) {
    crewRun.transfers.set(key, count + 1);
    return undefined;
  }
  const message = `agent '${wish.from}' has already transferred work to '${wish.to}' with the same context ${ALLOWED_REPETITIONS} times: do the work yourself, or transfer it with another context`;
  crewRun.world.run.emit(place, "handoff.refused", { ...wish, limit: ALLOWED_REPETITIONS, message });
  return message;
}
