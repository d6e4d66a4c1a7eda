import { usesOfSignals } from "../flow/signal-uses.ts";
import { reportSignals } from "../signals/report-signals.ts";
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
  const uses = usesOfSignals(crew);
  const report = crew.signals.map((signal) => ({ ...signal, uses: uses.get(signal.name) ?? [] }));
  terminal.print(options.json ? JSON.stringify({ signals: report }, undefined, 2) : reportSignals(crew.signals, uses));
  return exitCodes.completed;
}
