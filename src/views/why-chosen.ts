import type { Classification } from "../classification.ts";

/** Why an agent begins, in words. */
export function whyChosen({ confidence, low_confidence: isLow, reason = "", domain }: Classification): string {
  if (isLow === true) return `low confidence: ${reason}`;
  return `confidence ${confidence}${domain === undefined ? "" : `, ${domain}`}`;
}
