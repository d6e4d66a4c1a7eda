import type { PauseReason } from "../vocabulary/pause.ts";

const guarded: ReadonlySet<PauseReason> = new Set(["approval", "gate", "quota", "ambiguous"]);

/** Whether answering needs the scope `answer`: whoever may only start runs must not approve what they are about to do. */
export function isGuarded(reason: PauseReason): boolean {
  return guarded.has(reason);
}
