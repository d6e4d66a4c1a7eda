import type { Cost } from "../../views/figures.ts";
import { formatDollars } from "../live/format-figures.ts";

/** `$0.0104`; where nobody knows, that. */
export function formatCost({ usd }: Cost): string {
  return usd === null ? "unknown" : formatDollars(usd);
}
