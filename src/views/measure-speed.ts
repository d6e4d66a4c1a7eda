import type { EventData } from "../vocabulary/events.ts";

/** How fast replies came; only measured replies count. */
export interface Speed {
  /** The average time until the first words. */
  readonly msToFirstToken?: number;
  readonly tokensPerSecond?: number;
}

export function measureSpeed(replies: readonly EventData["model.completed"][]): Speed {
  const firsts = replies.flatMap(({ msToFirstToken }) => msToFirstToken ?? []);
  const written = replies.flatMap(({ usage, ms = 0 }) => (usage === undefined || ms === 0 ? [] : { usage, ms }));
  const tokens = sum(written.map(({ usage }) => usage.output));
  const seconds = sum(written.map(({ ms }) => ms)) / 1000;
  return {
    ...(firsts.length > 0 && { msToFirstToken: Math.round(sum(firsts) / firsts.length) }),
    ...(seconds > 0 && { tokensPerSecond: Math.round((tokens / seconds) * 10) / 10 }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
