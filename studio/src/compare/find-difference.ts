import type { BatonEvent } from "../../../src/vocabulary/events.ts";

/** Where two runs part: the first events that differ. Undefined on a side that ends there. */
export interface Difference {
  /** How many events are the same before it. */
  readonly same: number;
  readonly a: BatonEvent | undefined;
  readonly b: BatonEvent | undefined;
  /** What differs in them, as paths into their data. */
  readonly keys: readonly string[];
}

/** Finds the first difference of two runs. Times, ids and durations always differ and say nothing. */
export function findDifference(a: readonly BatonEvent[], b: readonly BatonEvent[]): Difference | undefined {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a[index], b[index]];
    if (left !== undefined && right !== undefined && describe(left) === describe(right)) continue;
    return { same: index, a: left, b: right, keys: left && right ? listKeys(left, right) : [] };
  }
  return undefined;
}

/** Facts of a run's beginning that are not what it does. */
const ignored = new Set([
  "ms",
  "msToFirstToken",
  "tokensPerSecond",
  "forkedFrom",
  "traceparent",
  "fingerprint",
  "source",
  "timestamp",
]);

function describe({ type, path, agent, crew, data }: BatonEvent): string {
  return JSON.stringify([type, path, agent, crew, data], (key, value) => (ignored.has(key) ? undefined : value));
}

function listKeys(left: BatonEvent, right: BatonEvent): string[] {
  if (left.type !== right.type) return ["type"];
  const [a, b] = [left.data, right.data] as readonly Record<string, unknown>[];
  const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  const differing = [...keys].filter(
    (key) => !ignored.has(key) && JSON.stringify(a?.[key]) !== JSON.stringify(b?.[key]),
  );
  return differing.length > 0 ? differing : ["path"];
}
