import { createHash } from "node:crypto";
import type { RunId } from "../vocabulary/ids.ts";

/** Gives nonces that follow from the run's own random id, which no model is ever told. */
export function nonceSource(runId: RunId): (place: string) => string {
  return (place) => createHash("sha256").update(`${runId} ${place}`).digest("hex").slice(0, 12);
}
