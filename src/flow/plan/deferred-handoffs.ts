import type { Agent, Condition, Crew } from "../../vocabulary/crew.ts";

/** The deferred handoffs when an agent passes its work on: its own comes after that. Agents stand for their handoffs, newest last. */
export function deferOwn(agent: Agent, deferred: readonly string[]): readonly string[] {
  return agent.handoff === undefined ? deferred : [...withoutOwn(agent, deferred), agent.id];
}

/** Where the work comes back to an agent, its handoff is deferred once. */
export function withoutOwn({ id, handoff }: Agent, deferred: readonly string[]): readonly string[] {
  return handoff === undefined || !deferred.includes(id) ? deferred : deferred.filter((each) => each !== id);
}

/** A deferred handoff that may be due when the work ends, and those that still wait after it. */
export interface Due {
  readonly to: string;
  readonly left: readonly string[];
}

/** The newest that is due; newer ones that are not are dropped. One without a condition is always due. */
export function findDue(crew: Crew, deferred: readonly string[], status: "completed" | "failed"): Due[] {
  const due: Due[] = [];
  for (let index = deferred.length - 1; index >= 0; index--) {
    const handoff = crew.agents.get(deferred[index] ?? "")?.handoff;
    if (handoff === undefined || (status === "failed" && handoff.onFailure !== "continue")) continue;
    if (!mayHold(handoff.when, status)) continue;
    due.push({ to: handoff.to, left: deferred.slice(0, index) });
    if (handoff.when === undefined) break;
  }
  return due;
}

/** Whether a condition can hold where an agent ended like this. */
export function mayHold(when: Condition | undefined, status: "completed" | "failed"): boolean {
  return when?.status === undefined || when.status === status;
}
