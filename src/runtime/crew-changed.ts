import type { World } from "../orchestration/crew-run.ts";
import { listToolChanges } from "../prepare/tool-facts.ts";
import { Divergence } from "../run/recording.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Start } from "../vocabulary/run-start.ts";

const WAYS =
  "Continue with the crew as it is now (--accept-changes), or with the stored copy of the original (--original).";

/** The error for a run whose crew has changed since it began: what changed, and how to continue all the same. */
export function crewChanged(changes: readonly string[], ways: string = WAYS): BatonError {
  const shown = changes.slice(0, 20).map((change) => `  ${change}`);
  const more = changes.length > shown.length ? [`  and ${changes.length - shown.length} more`] : [];
  return new BatonError(
    "crew-changed",
    ["the crew has changed since the run began:", ...shown, ...more, ways].join("\n"),
  );
}

/** Refuses to continue when tools have changed. The store has no copy of a tool's code. */
export function refuseChangedTools(before: Start["tools"], crew: Crew, toolOf: World["tool"]): void {
  const changes = before === undefined ? [] : listToolChanges(before, crew, toolOf);
  if (changes.length > 0)
    throw crewChanged(changes, `${PUT_BACK}, or continue with it as it is now (--accept-changes).`);
}

const PUT_BACK = "Put the code of the tools back as it was";

/**
 * Rethrows what a continued run threw. If a tool is gone, or the replay differs from the journal, then the crew has changed, and the
 * error says so.
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

const goneTools: ReadonlySet<string> = new Set(["tool-import-failed", "function-import-failed", "unknown-tool"]);
