import { findFallback, type Stop } from "../flow/transitions.ts";
import type { Agent, Binding, Crew } from "../vocabulary/crew.ts";
import type { Move } from "./move.ts";
import { findPass, isFace, type Spoken } from "./patterns/handoff.ts";
import { byDecision, type FoundSignal } from "./read-signals.ts";

/** What is known when the next move is looked for. */
export interface Answered {
  readonly agent: Agent;
  /** For the agent's own patterns, where it has any. */
  readonly spoken: Spoken | undefined;
  readonly standing: "line" | "passed";
  readonly found: readonly FoundSignal[];
  /** How often the agent asked for a retry of this input, and whether it was told its signals already. */
  readonly retries: number;
  readonly isRepaired: boolean;
  /** The move that the agent's last answer was to make. */
  readonly held?: Move | undefined;
}

/** Pure: signals first, then the agent's own patterns, then what its behaviour says, then the crew's fallback. */
export function findMove(answered: Answered, crew: Crew): Move {
  const { agent, found } = answered;
  const pass = answered.spoken && findPass(answered.spoken, crew);
  // The face of a team only gives it its task.
  if (pass !== undefined && isFace(agent)) return pass;
  const bindings = crew.bindings.get(agent.id) ?? [];
  for (const match of found.length < 2 ? found : found.toSorted(byDecision(bindings))) {
    const move = match.signal.binding === undefined ? undefined : moveOfBinding(match.signal.binding);
    if (move !== undefined) return move;
  }
  if (isRetry(answered, bindings)) return { type: "retry" };
  if (pass !== undefined) return pass;
  if (answered.held !== undefined) return answered.held;
  if (crew.behaviors.get(agent.id)?.waitForSignal) return { type: "pause", reason: "wait_for_signal" };
  if (agent.isTerminal) return { type: "end", stopReason: "terminal" };
  return fallbackMove(answered, bindings, crew);
}

/** What a bound signal leads to; undefined for those that act without deciding. */
export function moveOfBinding({ signal, move }: Binding): Move | undefined {
  const reason = `signal ${signal}`;
  switch (move.type) {
    case "route":
      return { type: "route", to: move.target, via: "signal", reason };
    case "parallel":
      return { type: "parallel", group: move.group, via: "signal", reason };
    case "terminate":
      return { type: "end", stopReason: "signal", signal };
    case "pause":
      return { type: "pause", reason: "signal", signal };
    case "external":
      return move.pause ? { type: "external", signal } : undefined;
    case "broadcast":
    case "status":
      return undefined;
    case "sub_crew":
      return { type: "sub_crew", call: move, reason };
  }
}

/** `[RETRY]` bound without a target asks the same agent again, as often as a failed call is retried. */
function isRetry({ agent, found, retries }: Answered, bindings: readonly Binding[]): boolean {
  const isAsked = found.some(({ signal }) => signal.name === "[RETRY]" && signal.binding?.move.type === "status");
  return isAsked && bindings.length > 0 && retries < agent.limits.maxRetries;
}

function fallbackMove({ agent, standing, isRepaired }: Answered, bindings: readonly Binding[], crew: Crew): Move {
  const [transition] = findFallback(crew, agent.id, standing);
  // A function would give the same answer again.
  const isModel = agent.function === undefined;
  const canRepair =
    isModel && transition?.kind === "fallback" && crew.settings.onNoSignal === "repair" && standing === "line";
  if (canRepair && !isRepaired && bindings.length > 0 && crew.listed.length > 1) {
    return { type: "repair", signals: bindings.map(({ signal }) => signal) };
  }
  return moveOfStop(transition?.stop ?? { type: "end", stopReason: "answer" });
}

/** What follows where no signal decides; also after a group that names nobody. */
export function moveOfStop(stop: Stop): Move {
  switch (stop.type) {
    case "agent":
      return { type: "route", to: stop.agent, via: "fallback", reason: "no signal" };
    case "group":
      return { type: "parallel", group: stop.group, via: "fallback", reason: "no signal" };
    case "end":
      return { type: "end", stopReason: stop.stopReason };
    case "pause":
      return { type: "pause", reason: "no_signal" };
    case "crews":
      throw new Error("a fallback never calls a crew");
  }
}

/** Moves that a gate holds until a human approves: all that a signal, a router or a transfer decides but the end of the run. */
export function isGated(move: Move, agent: Agent, crew: Crew): boolean {
  const isHeld = crew.behaviors.get(agent.id)?.autoRoute === false;
  return (
    isHeld &&
    (((move.type === "route" || move.type === "parallel") && move.via === "signal") ||
      (move.type === "pass" && (move.via === "router" || move.via === "transfer")) ||
      move.type === "together" ||
      move.type === "sub_crew")
  );
}
