/** `820 ms`, `3.4 s`, `2 m 5 s`, `3 h 20 m`, `2 d 4 h`. */
export function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return join(Math.floor(whole / 60), "m", whole % 60, "s");
  if (whole < 86_400) return join(Math.floor(whole / 3600), "h", Math.floor((whole % 3600) / 60), "m");
  return join(Math.floor(whole / 86_400), "d", Math.floor((whole % 86_400) / 3600), "h");
}

function join(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

/** Dollars with as many digits as small amounts need; "unknown" where a price is missing. */
export function formatUsd(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return "unknown";
  if (usd === 0) return "$0";
  const digits = usd >= 100 ? 0 : usd >= 1 ? 2 : usd >= 0.01 ? 3 : 5;
  return `$${usd.toFixed(digits)}`;
}

export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? "unknown" : count.toLocaleString("en-US");
}

/** The time of day, with milliseconds where events follow each other closely. */
export function formatClock(ts: number): string {
  const date = new Date(ts);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function formatAgo(ts: number, now: number): string {
  const minutes = Math.floor((now - ts) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 60 * 24) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(ts).toISOString().slice(0, 10);
}
