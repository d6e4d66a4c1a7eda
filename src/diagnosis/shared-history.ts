import type { Scene } from "./scene.ts";
import type { Invocation } from "./story.ts";

/** Whether an agent saw all that was said on its crew's line before it, tool results included. */
export function sharesHistory(invocation: Invocation, { findCrew }: Scene): boolean {
  if (!invocation.isOnLine) return /\/b\d+$/.test(invocation.path);
  if (findCrew(invocation.crew)?.settings.history === "full") return true;
  const via = invocation.cameBy?.data.via;
  return via === undefined || via === "signal" || via === "fallback" || via === "group" || via === "sub_crew";
}
