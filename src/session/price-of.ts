import type { Usage } from "../bill.ts";
import type { Agent } from "../crew.ts";
import type { Model } from "../models/model.ts";

interface Price {
  readonly usd: number;
  /** Where it comes from: `agent`, or the table's entry. */
  readonly entry: string;
}

/** What a call costs: the agent's own prices first, then the table's. Unknown is undefined, never nothing. */
export function priceOf(usage: Usage, { listed }: Model, { prices }: Agent): Price | undefined {
  const ownInput = prices?.inputPerMillionUsd;
  const ownOutput = prices?.outputPerMillionUsd;
  const ownUsd = ((ownInput ?? 0) * usage.input + (ownOutput ?? 0) * usage.output) / 1_000_000;
  if (ownInput !== undefined && ownOutput !== undefined) return { usd: ownUsd, entry: "agent" };
  const table = listed?.priceOf(usage);
  if (table === undefined) return undefined;
  const isOwn = ownInput !== undefined || ownOutput !== undefined;
  const usd = ownUsd + (ownInput === undefined ? table.inputUsd : 0) + (ownOutput === undefined ? table.outputUsd : 0);
  return { usd, entry: isOwn ? `agent, ${table.entry}` : table.entry };
}
