import type { Scene } from "./scene.ts";
import type { Stretch } from "./story.ts";

/** Whether an agent saw all that was said on its crew's line before it, tool results included. */
export function sharesHistory(stretch: Stretch, { crewAt }: Scene): boolean {
  if (!stretch.isOnLine) return /\/b\d+$/.test(stretch.path);
  if (crewAt(stretch.crew)?.settings.history === "full") return true;
  const via = stretch.cameBy?.data.via;
  return via === undefined || via === "signal" || via === "fallback" || via === "group" || via === "sub_crew";
}
