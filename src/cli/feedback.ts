import { BatonError } from "../errors.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type StoreOptions, withRun } from "./with-run.ts";

/** `baton feedback`: what a person thinks of a run, kept beside it; said again, it replaces what was said. */
export async function feedback(
  name: string,
  verdict: "good" | "bad",
  words: readonly string[],
  options: StoreOptions,
  terminal: Terminal,
): Promise<number> {
  return withRun(name, options, terminal, async (runId, store) => {
    const version = (await store.get("feedback", runId))?.version ?? 0;
    const said = { verdict, ...(words.length > 0 && { words: words.join(" ") }), at: new Date().toISOString() };
    if (!(await store.put("feedback", runId, said, version)))
      throw new BatonError("store-busy", "somebody else gave feedback at the same time; say it again");
    terminal.print(options.json ? JSON.stringify({ runId, ...said }) : `${runId} is ${verdict}`);
    return exitCodes.completed;
  });
}
