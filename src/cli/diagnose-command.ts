import type { Store } from "../journal/store.ts";
import { diagnoseRun } from "../library/diagnose-run.ts";
import { buildResult } from "../views/run-result.ts";
import { findRun } from "./find-run.ts";
import { diagnosisLines } from "./show/diagnosis-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

/** `baton diagnose`: what went wrong in a run, and the line of the crew to change. */
export async function diagnose(
  name: string,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
  store: Pick<Store, "read" | "list" | "get">,
): Promise<number> {
  const { runId } = await findRun(name, store);
  const events = await store.read(runId);
  const diagnosis = await diagnoseRun(events, store, terminal.workingDirectory);
  const lines = json
    ? [JSON.stringify(diagnosis, undefined, 2)]
    : diagnosisLines(diagnosis, buildResult(events), terminal.style, countColumns(terminal));
  terminal.print(lines.join("\n"));
  return exitCodes.completed;
}
