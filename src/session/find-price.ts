import type { Model } from "../models/model.ts";
import { roundUsd, type Usage } from "../vocabulary/bill.ts";
import type { Agent } from "../vocabulary/crew.ts";

interface Price {
  readonly usd: number;
  /** Where it comes from: `agent`, or the table's entry. */
  readonly entry: string;
}

const noTokens: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };

/** What a call costs: the agent's own prices first, then the table's. Unknown is undefined, never nothing; where nothing is charged, the tokens may be unknown. */
export function findPrice(
  counted: Usage | undefined,
  { listed }: Pick<Model, "listed">,
  { prices }: Pick<Agent, "prices">,
): Price | undefined {
  const ownInput = prices?.inputPerMillionUsd;
  const ownOutput = prices?.outputPerMillionUsd;
  const usage = counted ?? (isFree(ownInput, listed) && isFree(ownOutput, listed) ? noTokens : undefined);
  if (usage === undefined) return undefined;
  const ownUsd = ((ownInput ?? 0) * usage.input + (ownOutput ?? 0) * usage.output) / 1_000_000;
  if (ownInput !== undefined && ownOutput !== undefined) return { usd: roundUsd(ownUsd), entry: "agent" };
  const table = listed?.findPrice(usage);
  if (table === undefined) return undefined;
  const isOwn = ownInput !== undefined || ownOutput !== undefined;
  const usd = ownUsd + (ownInput === undefined ? table.inputUsd : 0) + (ownOutput === undefined ? table.outputUsd : 0);
  return { usd: roundUsd(usd), entry: isOwn ? `agent, ${table.entry}` : table.entry };
}

function isFree(own: number | undefined, listed: Model["listed"]): boolean {
  return own === 0 || (own === undefined && listed?.isFree === true);
}
