import { resolve } from "node:path";
import { copyStore } from "../journal/copy-store.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { explainNoStore, findStore, openStore } from "./open-store.ts";
import { explain } from "./run-command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

export interface StoreCommandOptions {
  readonly json?: boolean;
}

/** `baton store copy`: copies everything from one store into another. */
export async function copy(
  from: string,
  to: string,
  options: StoreCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const opened: Store[] = [];
  try {
    if (isSamePlace(from, to, terminal))
      throw new BatonError("bad-options", "both names are of the same store: copy into another one");
    const source = await findStore(from, terminal);
    if (source === undefined) throw explainNoStore(from);
    opened.push(source);
    const target = await openStore(".", { ...terminal, variables: { ...terminal.variables, BATON_STORE: to } });
    opened.push(target);
    const copied = await copyStore(source, target, { onRun: tellProgress("copied", terminal) });
    const { runs, events, documents, handoffs, memories, blobs, skippedRuns } = copied;
    if (options.json) terminal.print(JSON.stringify(copied, undefined, 2));
    else
      terminal.print(
        [
          `${formatAmount(runs, "run")}, ${formatAmount(documents, "document")}, ${formatAmount(handoffs, "handoff")}, ${formatAmount(memories, "memory", "memories")} are in both stores, and verified.`,
          `${formatAmount(events, "event")} and ${formatAmount(blobs, "file")} were copied; ${formatAmount(skippedRuns, "run")} ${skippedRuns === 1 ? "was" : "were"} there already.`,
        ].join("\n"),
      );
    return exitCodes.completed;
  } catch (error) {
    if (error instanceof BatonError) return explain(error, options, terminal);
    throw error;
  } finally {
    for (const store of opened) await store.close();
  }
}

/** Says on standard error how far a long command is, every thousand runs. */
export function tellProgress(verb: string, terminal: Terminal): (done: number, all: number) => void {
  return (done, all) => {
    if (done % 1000 === 0 && done < all) terminal.note(`${verb} ${done} of ${all} runs`);
  };
}

function isSamePlace(from: string, to: string, { workingDirectory }: Terminal): boolean {
  return from === to || resolve(workingDirectory, from) === resolve(workingDirectory, to);
}
