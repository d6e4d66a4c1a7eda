import { exitCodes, type Terminal } from "./terminal.ts";

/** Waits for SIGTERM or SIGINT. A second signal ends the process at once. */
export function waitForEnd({ note }: Pick<Terminal, "note">, graceMs: number): Promise<void> {
  return new Promise((done) => {
    let isEnding = false;
    const onSignal = () => {
      if (isEnding) process.exit(exitCodes.failed);
      isEnding = true;
      note(`stopping: turns under way have ${graceMs / 1000} s; a second signal ends at once`);
      done();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}
