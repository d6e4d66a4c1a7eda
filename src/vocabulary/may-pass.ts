import type { Failure } from "./events.ts";

/** Failures that the same call meets again: what was asked for is not there, is used up, or is deeper than a limit allows. */
const LASTING: ReadonlySet<string> = new Set(["quota", "input_too_large", "unknown_crew", "max_crew_depth"]);

/** Whether what failed may go well another time. */
export function mayPass({ code, cause, causes, isLasting }: Failure): boolean {
  if (isLasting === true || LASTING.has(code)) return false;
  if (causes !== undefined && causes.length > 0) return causes.some(mayPass);
  return cause === undefined || mayPass(cause);
}
