import type { Spent } from "../../views/worker.ts";

/** `0.4s`, `12.3s`, `1m 05s`; in whole seconds while it still grows. */
export function formatDuration(ms: number, isGrowing = false): string {
  if (ms < 59_950) return `${isGrowing ? Math.floor(ms / 1000) : (ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
}

export function formatNumber(number: number): string {
  return number.toLocaleString("en-US");
}

/** A number of tokens; null is one that nobody counted. */
export function formatCount(count: number | null): string {
  return count === null ? "unknown" : formatNumber(count);
}

/** `1 token`, `340 tokens`, `unknown tokens`. */
export function formatTokens(count: number | null): string {
  return `${formatCount(count)} token${count === 1 ? "" : "s"}`;
}

export function formatDollars(usd: number): string {
  // Half a unit in decimals is a little less than that in binary: $0.01035 is shown as $0.0104.
  return `$${(usd * (1 + Number.EPSILON)).toFixed(usd < 1 ? 4 : 2)}`;
}

/** `340 tokens`, and `$0.0021` where all prices are known. */
export function listFigures({ calls, tokens, usd, unknownCalls }: Spent): string[] {
  if (calls === 0) return [];
  const cost = unknownCalls === 0 ? [formatDollars(usd)] : [];
  return [...(tokens === 0 ? [] : [formatTokens(tokens)]), ...cost];
}
