import type { RunOptions } from "../runtime/environment.ts";
import type { RunView } from "./run-view.ts";

/** The signals by which a supervisor or a closing terminal ends a process, and the exit code that says so. */
const endings = { SIGTERM: 143, SIGHUP: 129 } as const;

export interface WatchedSignals {
  /** What a run needs to obey the signals. */
  readonly options: { readonly [Key in "signal" | "stop" | "release" | "graceMs"]: NonNullable<RunOptions[Key]> };
  /** The exit code of the signal that ends the process; undefined while there was none. */
  exitCode(): number | undefined;
  close(): void;
}

/**
 * Ctrl-C once lets the turn under way finish and cancels the run, twice cancels it at once. SIGTERM and SIGHUP let the turn finish and
 * leave the run for another process; a second one ends the process at once, as `kill -9` would.
 */
export function watchSignals(view: Pick<RunView, "stopping" | "leaving">, graceMs: number): WatchedSignals {
  const [now, soon, release] = [new AbortController(), new AbortController(), new AbortController()];
  let exitCode: number | undefined;
  const onInterrupt = () => {
    if (soon.signal.aborted) now.abort();
    else view.stopping();
    soon.abort();
  };
  const onEnding = (signal: keyof typeof endings) => {
    if (exitCode !== undefined) process.exit(exitCode);
    exitCode = endings[signal];
    view.leaving(graceMs);
    release.abort();
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onEnding);
  process.on("SIGHUP", onEnding);
  return {
    options: { signal: now.signal, stop: soon.signal, release: release.signal, graceMs },
    exitCode: () => exitCode,
    close() {
      process.off("SIGINT", onInterrupt);
      process.off("SIGTERM", onEnding);
      process.off("SIGHUP", onEnding);
    },
  };
}
