import { createRedactor } from "../redaction/redactor.ts";
import { giveFeedback } from "../run-storage/feedback.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type StoreOptions, withRun } from "./with-run.ts";

/** `baton feedback`: what a person thinks of a run, stored beside it; said again, it replaces what was said. */
export async function feedback(
  name: string,
  verdict: "good" | "bad",
  words: readonly string[],
  options: StoreOptions,
  terminal: Terminal,
): Promise<number> {
  const { redact } = createRedactor(terminal.variables);
  return withRun(name, options, terminal, async (runId, store) => {
    const said = await giveFeedback(store, runId, verdict, words.join(" "), redact);
    terminal.print(options.json ? JSON.stringify({ runId, ...said }) : `${runId} is ${verdict}`);
    return exitCodes.completed;
  });
}
