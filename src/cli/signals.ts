import type { BoundMove, Crew } from "../crew.ts";
import { reportSignals, type SignalUse } from "../signals/report-signals.ts";
import { loadValidCrew } from "./load-valid-crew.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface SignalsOptions {
  readonly json?: boolean;
  readonly root?: string;
}

/** `baton signals`: the crew's registry, with who emits what and where it leads. */
export function signals(path: string, options: SignalsOptions, terminal: Terminal): number {
  const crew = loadValidCrew(path, options.root, terminal);
  if (crew === undefined) return exitCodes.invalid;
  const uses = usesOf(crew);
  const report = crew.signals.map((signal) => ({ ...signal, uses: uses.get(signal.name) ?? [] }));
  terminal.print(options.json ? JSON.stringify({ signals: report }, undefined, 2) : reportSignals(crew.signals, uses));
  return exitCodes.completed;
}

function usesOf(crew: Crew): Map<string, SignalUse[]> {
  const uses = new Map<string, SignalUse[]>();
  for (const [agent, bindings] of crew.bindings) {
    for (const { signal, move } of bindings) {
      uses.set(signal, [...(uses.get(signal) ?? []), { agent, to: describeMove(move) }]);
    }
  }
  return uses;
}

function describeMove(move: BoundMove): string {
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
      return "the journal";
  }
}
