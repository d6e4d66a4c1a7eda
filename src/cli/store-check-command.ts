import { checkStore } from "../journal/check-store.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { explainNoStore, findStore } from "./open-store.ts";
import { explain } from "./run-command.ts";
import { type StoreCommandOptions, tellProgress } from "./store-copy-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** `baton store check`: reads everything in a store, and says what is damaged. */
export async function check(name: string, options: StoreCommandOptions, terminal: Terminal): Promise<number> {
  let store: Store | undefined;
  try {
    store = await findStore(name, terminal);
    if (store === undefined) throw explainNoStore(name);
    const checked = await checkStore(store, { onRun: tellProgress("checked", terminal) });
    const { runs, events, documents, memories, blobs, problems } = checked;
    if (options.json) terminal.print(JSON.stringify(checked, undefined, 2));
    else {
      terminal.print(
        `${formatAmount(runs, "run")}, ${formatAmount(events, "event")}, ${formatAmount(documents, "document")}, ${formatAmount(memories, "memory", "memories")}, ${formatAmount(blobs, "file")}`,
      );
      terminal.print(
        problems.length === 0 ? "No problems found." : problems.map((each) => `error: ${each}`).join("\n"),
      );
    }
    return problems.length === 0 ? exitCodes.completed : exitCodes.failed;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    await store?.close();
  }
}
