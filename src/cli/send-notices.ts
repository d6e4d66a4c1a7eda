import type { Store } from "../journal/store.ts";
import { deliverNotices } from "../runtime/deliver-notices.ts";
import type { Terminal } from "./terminal.ts";

/** A command does not wait longer for receivers; what is left, the next command or server sends. */
const PATIENCE_MS = 5000;

/** Sends what `notify` in baton.yaml asks for. */
export async function sendNotices(store: Store, { variables, note }: Terminal): Promise<void> {
  await deliverNotices(store, { variables, signal: AbortSignal.timeout(PATIENCE_MS), onFailure: note });
}
