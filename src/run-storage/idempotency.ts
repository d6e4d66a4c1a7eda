import { createHash } from "node:crypto";
import type { DocumentWrite, Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** What makes two requests the same. */
export interface Idempotency {
  /** Who asks for what, such as a token, a crew and a key of the caller. */
  readonly key: string;
  /** The request, or a digest of it: another request with the same key is refused. */
  readonly request: string;
}

interface KeptKey {
  readonly run: string;
  readonly request: string;
  readonly at: number;
}

/** The kind of document that keys are stored as. */
export const IDEMPOTENCY = "idempotency";
/** How long a key stands for its run. */
const KEPT_MS = 24 * 3600 * 1000;

/** Finds the run that a key stands for, or the version to write the key with. Refused if the key stands for another request. */
export async function findIdempotentRun(
  store: Pick<Store, "get">,
  { key, request }: Idempotency,
  now = Date.now(),
): Promise<{ readonly runId?: string; readonly version: number }> {
  const found = await store.get(IDEMPOTENCY, digest(key));
  if (found === undefined) return { version: 0 };
  const { version } = found;
  const kept = readKey(found.value);
  if (kept === undefined || now - kept.at >= KEPT_MS) return { version };
  if (kept.request === digest(request)) return { runId: kept.run, version };
  throw new BatonError(
    "idempotency-conflict",
    `this idempotency key was used for another request, which started run '${kept.run}': use a new key`,
  );
}

export function writeIdempotency(
  { key, request }: Idempotency,
  runId: string,
  version: number,
  now = Date.now(),
): DocumentWrite {
  const value: KeptKey = { run: runId, request: digest(request), at: now };
  return { kind: IDEMPOTENCY, key: digest(key), value, version };
}

/** Deletes the keys that stand for nothing any more. */
export async function dropOldKeys(store: Pick<Store, "documents" | "drop">, now = Date.now()): Promise<void> {
  for (const { key, value } of await store.documents(IDEMPOTENCY)) {
    const kept = readKey(value);
    if (kept === undefined || now - kept.at >= KEPT_MS) await store.drop(IDEMPOTENCY, key);
  }
}

/** The run that a stored key stands for. */
export function readKey(value: unknown): KeptKey | undefined {
  // Only this file writes documents of this kind.
  const kept = value as Partial<KeptKey> | null;
  const { run, request, at } = kept ?? {};
  return run === undefined || request === undefined || at === undefined ? undefined : { run, request, at };
}

/** Keys and requests may contain anything, secrets too. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
