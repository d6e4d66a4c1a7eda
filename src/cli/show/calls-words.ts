import { measureSpeed } from "../../views/measure-speed.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { numberOf } from "../live/figure-words.ts";
import { speedWords } from "./speed-words.ts";

/** `8, and 1 that failed; first words after 0.43s, 52 tokens/s`: the model calls of a run. */
export function callsWords(events: readonly BatonEvent[]): string {
  const replies = events.flatMap((event) => (event.type === "model.completed" ? event.data : []));
  const failed = events.filter(({ type }) => type === "model.failed").length;
  const { first, perSecond } = speedWords(measureSpeed(replies));
  const speed = [first && `first words after ${first}`, perSecond && `${perSecond} tokens/s`]
    .filter(Boolean)
    .join(", ");
  const counted =
    failed === 0 ? numberOf(replies.length) : `${numberOf(replies.length)}, and ${numberOf(failed)} that failed`;
  return speed === "" ? counted : `${counted}; ${speed}`;
}
