/** Writes JSON that is equal for equal values, whatever the order of their keys. */
export function toCanonicalJson(value: unknown, indent?: number): string {
  const sorted = (_: string, each: unknown) => (isRecord(each) ? Object.fromEntries(sortEntries(each)) : each);
  return JSON.stringify(value, sorted, indent) ?? "null";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sortEntries(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
