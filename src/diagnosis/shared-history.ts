import type { Scene } from "./scene.ts";
import type { Stint } from "./story.ts";

/** Whether an agent saw all that was said on its crew's line before it, tool results included. */
export function sharesHistory(stint: Stint, { crewAt }: Scene): boolean {
  if (!stint.isOnLine) return /\/b\d+$/.test(stint.path);
  if (crewAt(stint.crew)?.settings.history === "full") return true;
  const via = stint.cameBy?.data.via;
  return via === undefined || via === "signal" || via === "fallback" || via === "group" || via === "sub_crew";
}
