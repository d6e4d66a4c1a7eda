import type { SignalUse } from "../signals/report-signals.ts";
import type { BoundMove, Crew } from "../vocabulary/crew.ts";

/** Lists which agents emit each signal of a crew and what happens then, for `reportSignals`. Unbound signals have no entry. */
export function listSignalUses(crew: Crew): ReadonlyMap<string, readonly SignalUse[]> {
  const bound = [...crew.bindings].flatMap(([agent, bindings]) =>
    bindings.map(({ signal, move }) => ({ signal, use: { agent, to: describeMove(move, signal) } })),
  );
  const bySignal = Map.groupBy(bound, ({ signal }) => signal);
  return new Map([...bySignal].map(([signal, all]) => [signal, all.map(({ use }) => use)]));
}

function describeMove(move: BoundMove, signal: string): string {
  switch (move.type) {
    case "route":
      return move.target;
    case "parallel":
      return `group ${move.group}`;
    case "sub_crew":
      return `crew ${move.crews.join(", ")}, then ${move.returnTo}`;
    case "broadcast":
      return `told to ${move.targets.join(", ")}`;
    case "external":
      return move.pause ? "an external handler, waiting for its answer" : "an external handler";
    case "terminate":
      return "the end of the run";
    case "pause":
      return "a pause";
    case "status":
      return signal === "[RETRY]" ? "the same agent again" : "the journal";
  }
}
