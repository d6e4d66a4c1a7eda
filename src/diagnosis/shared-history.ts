import type { Scene } from "./scene.ts";
import type { Invocation } from "./story.ts";

/** Whether an agent saw everything that was said before on its crew's line, with tool results. */
export function sharesHistory(invocation: Invocation, { findCrew }: Scene): boolean {
  if (!invocation.isOnLine) return /\/b\d+$/.test(invocation.path);
  if (findCrew(invocation.crew)?.settings.history === "full") return true;
  const via = invocation.cameBy?.data.via;
  return via === undefined || via === "signal" || via === "fallback" || via === "group" || via === "sub_crew";
}
