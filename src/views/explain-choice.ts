import type { Classification } from "../vocabulary/event-data.ts";

export function explainChoice(classification: Classification): string {
  const { confidence, low_confidence: isLow, reason = "", domain, instead_of: other } = classification;
  const past = other === undefined ? "" : `, instead of ${other}, because of earlier runs`;
  if (isLow === true) return `low confidence: ${reason}${past}`;
  return `confidence ${confidence}${domain === undefined ? "" : `, ${domain}`}${past}`;
}
