const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A written duration, as a regular expression: digits, perhaps a fraction, perhaps a unit; not 0. */
export const DURATION = "^(?!0+(\\.0+)?(ms|s|m|h|d)?$)\\d{1,12}(\\.\\d+)?(ms|s|m|h|d)?$";
/** About thirty years: what is longer is a slip. */
export const MAX_SECONDS = 1e9;

/** A duration in milliseconds: of a number, or of a number with a unit such as `30s` or `2h`; undefined of anything else. */
export function parseDuration(value: unknown): number | undefined {
  const isWritten = typeof value === "number" || (typeof value === "string" && new RegExp(DURATION, "u").test(value));
  const unit = isWritten ? /[a-z]+$/.exec(String(value))?.[0] : undefined;
  const milliseconds = Number.parseFloat(String(value)) * (unitMs[unit ?? "ms"] ?? Number.NaN);
  return isWritten && milliseconds > 0 && milliseconds <= MAX_SECONDS * 1000 ? milliseconds : undefined;
}
