import { createHash } from "node:crypto";
import type { RunId } from "../vocabulary/ids.ts";

/** Returns a function that derives nonces from the run's random id. No model ever sees that id. */
export function nonceSource(runId: RunId): (place: string) => string {
  return (place) => createHash("sha256").update(`${runId} ${place}`).digest("hex").slice(0, 12);
}
