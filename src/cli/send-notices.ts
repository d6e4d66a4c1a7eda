import type { Store } from "../journal/store.ts";
import { deliverNotices } from "../runtime/deliver-notices.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Terminal } from "./terminal.ts";

/** A command does not wait longer for receivers; what is left, the next command or server sends. */
const PATIENCE_MS = 5000;

/** Sends what `notify` in baton.yaml asks for. */
export async function sendNotices(store: Store, { variables, note }: Terminal): Promise<void> {
  try {
    await deliverNotices(store, { variables, signal: AbortSignal.timeout(PATIENCE_MS), onFailure: note });
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    note(`notices could not be read: ${error.message}; the next command sends them`);
  }
}
