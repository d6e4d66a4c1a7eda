import { createHash } from "node:crypto";
import type { Store } from "../journal/store.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";

/** What the store calls the warnings of a crew that were printed. */
const WARNED = "warned";

/** The warnings of a crew that were not printed before: all of them where any has changed, none where all are as they were. */
export async function newWarnings(
  source: string,
  diagnostics: readonly Diagnostic[],
  store: Store | undefined,
): Promise<readonly Diagnostic[]> {
  if (store === undefined) return diagnostics;
  // Not the file, whose name depends on where the command is typed.
  const said = diagnostics.map(({ line, code, message, frame }) => [line, code, message, frame]);
  const key = createHash("sha256").update(source).digest("hex");
  const digest = createHash("sha256").update(JSON.stringify(said)).digest("hex");
  const before = await store.get(WARNED, key);
  if (before?.value === digest || (before === undefined && diagnostics.length === 0)) return [];
  await store.put(WARNED, key, digest, before?.version ?? 0);
  return diagnostics;
}
