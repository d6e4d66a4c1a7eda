import type { Cost } from "../../views/figures.ts";
import { dollarsOf } from "../live/figure-words.ts";

/** `$0.0104`; where nobody knows, that. */
export function costWords({ usd }: Cost): string {
  return usd === null ? "unknown" : dollarsOf(usd);
}
