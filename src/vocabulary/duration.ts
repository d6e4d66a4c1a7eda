const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A written duration, as a regular expression: digits, an optional fraction and an optional unit; not 0. */
export const DURATION = "^(?!0+(\\.0+)?(ms|s|m|h|d)?$)\\d{1,12}(\\.\\d+)?(ms|s|m|h|d)?$";
/** About thirty years. A longer duration is a mistake. */
export const MAX_SECONDS = 1e9;

/** A duration in milliseconds, from a number or a number with a unit such as `30s` or `2h`; undefined for anything else. */
export function parseDuration(value: unknown): number | undefined {
  const isWritten = typeof value === "number" || (typeof value === "string" && new RegExp(DURATION, "u").test(value));
  const unit = isWritten ? /[a-z]+$/.exec(String(value))?.[0] : undefined;
  const milliseconds = Number.parseFloat(String(value)) * (unitMs[unit ?? "ms"] ?? Number.NaN);
  return isWritten && milliseconds > 0 && milliseconds <= MAX_SECONDS * 1000 ? milliseconds : undefined;
}
