import type { World } from "../orchestration/crew-run.ts";
import { toolChanges } from "../prepare/tool-facts.ts";
import { Divergence } from "../run/recording.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Start } from "../vocabulary/run-start.ts";

const WAYS =
  "Go on with the crew as it is now (--accept-changes), or with the original, of which a copy is kept (--original).";

/** A run that must not go on, since its crew is not what it was: what changed, where, and what can be done. */
export function crewChanged(changes: readonly string[], ways: string = WAYS): BatonError {
  const shown = changes.slice(0, 20).map((change) => `  ${change}`);
  const more = changes.length > shown.length ? [`  and ${changes.length - shown.length} more`] : [];
  return new BatonError(
    "crew-changed",
    ["the crew has changed since the run began:", ...shown, ...more, ways].join("\n"),
  );
}

/** The same of the code of tools, of which there is no copy. */
export function refuseChangedTools(before: Start["tools"], crew: Crew, toolOf: World["tool"]): void {
  const changes = before === undefined ? [] : toolChanges(before, crew, toolOf);
  if (changes.length > 0) throw crewChanged(changes, `${PUT_BACK}, or go on with it as it is now (--accept-changes).`);
}

const PUT_BACK = "Put the code of the tools back as it was";

/**
 * What a run threw, as what it says of a run that goes on: its tools are gone, or it came to something else than its journal has, so
 * that what it runs on has changed.
 */
export function throwAsChange(error: unknown, isBegun = true): never {
  if (error instanceof Divergence) {
    const ways =
      "Nothing was called, and the run is stored as it was. Put back what has changed (the crew's files, the code of its tools), or fork the run from before that event.";
    throw crewChanged([error.message], ways);
  }
  if (isBegun && error instanceof BatonError && goneTools.has(error.code))
    throw crewChanged([error.message], `${PUT_BACK}.`);
  throw error;
}

const goneTools: ReadonlySet<string> = new Set(["tool-import-failed", "unknown-tool"]);
