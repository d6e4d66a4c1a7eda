import type { EventPlace } from "../vocabulary/events.ts";
import type { CrewRun } from "./crew-run.ts";
import type { FoundSignal } from "./read-signals.ts";

/** Journals what the words of an agent say in signals: those that act, and why others do not. */
export function tellSignals(found: readonly FoundSignal[], place: EventPlace, crewRun: CrewRun): void {
  const { run } = crewRun.world;
  for (const { signal, level, token } of found) {
    const { problem } = signal;
    if (problem?.type === "signal.rejected")
      run.emit(place, "signal.rejected", { signal: signal.name, message: problem.message });
    else if (problem !== undefined)
      run.emit(place, "signal.unbound", { signal: signal.name, token, message: problem.message });
    else {
      const deprecated = signal.deprecated === undefined ? undefined : findDeprecation(signal, crewRun);
      const facts = { signal: signal.name, level, token };
      run.emit(place, "signal.emitted", deprecated === undefined ? facts : { ...facts, deprecated });
    }
  }
}

/** Pointed out the first time in a run, in whichever of its crews that is. */
function findDeprecation({ name, deprecated }: FoundSignal["signal"], { shared }: CrewRun): string | undefined {
  const note = `${name} ${deprecated}`;
  if (shared.noted?.has(note)) return undefined;
  shared.noted = (shared.noted ?? new Set()).add(note);
  return deprecated;
}
