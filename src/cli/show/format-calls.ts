import { measureSpeed } from "../../views/measure-speed.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { formatNumber } from "../live/format-figures.ts";
import { formatSpeed } from "./format-speed.ts";

/** `8, and 1 that failed; first words after 0.43s, 52 tokens/s`: the model calls of a run. */
export function formatCalls(events: readonly BatonEvent[]): string {
  const replies = events.flatMap((event) => (event.type === "model.completed" ? event.data : []));
  const failed = events.filter(({ type }) => type === "model.failed").length;
  const { first, perSecond } = formatSpeed(measureSpeed(replies));
  const speed = [first && `first words after ${first}`, perSecond && `${perSecond} tokens/s`]
    .filter(Boolean)
    .join(", ");
  const counted =
    failed === 0
      ? formatNumber(replies.length)
      : `${formatNumber(replies.length)}, and ${formatNumber(failed)} that failed`;
  return speed === "" ? counted : `${counted}; ${speed}`;
}
