import type { Store } from "../journal/store.ts";
import { type Deletion, deleteConversation, deleteRun, deleteUser, listDeletions } from "../library/delete-runs.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { findRun } from "./find-run.ts";
import { askLine } from "./question.ts";
import { exitCodes, type Terminal } from "./terminal.ts";
import { type StoreOptions, withStore } from "./with-run.ts";

export interface DeleteOptions extends StoreOptions {
  /** The crew and the user of a conversation. */
  readonly crew?: string;
  readonly user?: string;
  readonly yes?: boolean;
  /** Shows what was deleted before. */
  readonly log?: boolean;
}

/** `baton delete`: deletes a run, a conversation or all of a user from the store, and notes that in the store's log. */
export async function deleteStored(
  what: Deletion["what"] | undefined,
  id: string | undefined,
  options: DeleteOptions,
  terminal: Terminal,
): Promise<number> {
  return withStore(options, terminal, async (store) => {
    if (options.log) return showLog(store, options, terminal);
    if (what === undefined || id === undefined)
      throw new BatonError(
        "bad-options",
        "say what to delete: run <run>, conversation <id> or user <name>; --log shows what was deleted before",
      );
    const runId = what === "run" ? (await findRun(id, store)).runId : undefined;
    if (!(await isMeant(`${what} '${runId ?? id}'`, options, terminal))) {
      terminal.note("nothing was deleted");
      return exitCodes.cancelled;
    }
    const deletion = runId === undefined ? await deleteOther(what, id, options, store) : await deleteRun(store, runId);
    terminal.print(options.json ? JSON.stringify(deletion) : describe(deletion));
    return exitCodes.completed;
  });
}

async function deleteOther(
  what: Deletion["what"],
  id: string,
  { crew, user }: DeleteOptions,
  store: Store,
): Promise<Deletion> {
  if (what === "user") return deleteUser(store, id);
  if (user !== undefined && crew === undefined)
    throw new BatonError("bad-options", "a user's conversation belongs to a crew: give --crew too");
  return deleteConversation(store, { id, crew: crew ?? "", user });
}

/** What is deleted cannot be brought back, so a person is asked, and a program says --yes. */
async function isMeant(what: string, { yes }: DeleteOptions, terminal: Terminal): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive)
    throw new BatonError("bad-options", `nobody can be asked whether ${what} is to be deleted: give --yes`);
  terminal.note(`Delete ${what} with everything that belongs to it? It cannot be brought back. [y/N]`);
  return /^y(es)?$/i.test(((await askLine(process.stderr)) ?? "").trim());
}

async function showLog(store: Store, { json }: DeleteOptions, { print, note }: Terminal): Promise<number> {
  const deletions = await listDeletions(store);
  if (json) print(JSON.stringify({ deletions }, undefined, 2));
  else if (deletions.length === 0) note("nothing was deleted yet");
  else for (const deletion of deletions) print(`${deletion.at}  ${describe(deletion)}`);
  return exitCodes.completed;
}

function describe({ what, id, runs, memories = 0, by }: Deletion): string {
  const remembered = memories === 0 ? "" : ` and ${formatAmount(memories, "memory", "memories")}`;
  const amount = what === "run" ? "" : ` with ${formatAmount(runs, "run")}${remembered}`;
  return `deleted ${what} ${id}${amount}${by === undefined ? "" : `, by ${by}`}`;
}
