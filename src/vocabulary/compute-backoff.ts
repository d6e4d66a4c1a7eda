import type { Settings } from "./crew.ts";

/** How long to wait before a retry: twice as long each time, up to a limit. The first retry has the number 1. */
export function computeBackoffMs(
  retry: number,
  {
    retryBackoffMinMs: minMs = 500,
    retryBackoffMaxMs: maxMs = 30_000,
  }: Partial<Pick<Settings, "retryBackoffMinMs" | "retryBackoffMaxMs">>,
): number {
  return Math.min(maxMs, minMs * 2 ** (retry - 1));
}
