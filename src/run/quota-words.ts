import type { QuotaFacts } from "../vocabulary/event-data.ts";

/** A cap and how it stands, for people. */
export function quotaWords(facts: QuotaFacts): string {
  const { quota, limit, used, reserved, wanted } = facts;
  const amount = (value: number) => (quota === "max_cost_usd" ? `$${Number(value.toFixed(6))}` : String(value));
  const cap = `${quota} of ${nameOwner(facts)} is ${amount(limit)}${facts.per === "day" ? " a day" : ""}`;
  if (wanted === null) return `${cap}, which cannot be checked: the price of this call is unknown`;
  const parts = [
    ...(quota === "max_tokens_per_call" ? [] : [`${amount(used)} used`]),
    ...(reserved > 0 ? [`${amount(reserved)} held for calls under way`] : []),
    ...(wanted > 0 ? [`this call may take ${amount(wanted)}`] : []),
  ];
  return `${cap}: ${parts.join(", ")}`;
}

function nameOwner({ level, of }: QuotaFacts): string {
  return level === "run" ? "the run" : `${level} '${of}'`;
}
