import type { Agent } from "../../vocabulary/crew.ts";

/** What a plan needs to know of a model. Looking it up is the caller's work, so that planning stays pure. */
export interface ModelFacts {
  readonly name: string;
  /** The tokens that fit into one request; undefined if that is not known. */
  readonly contextWindow: number | undefined;
  /** The most tokens that the model writes in one reply; undefined if that is not known. */
  readonly outputLimit: number | undefined;
  /** What so many tokens cost; undefined if the model has no known price. */
  findPrice(
    inputTokens: number,
    outputTokens: number,
  ): { readonly inputUsd: number; readonly outputUsd: number } | undefined;
}

/** What one call costs: the agent's own prices first, then the model's. Unknown is undefined, never nothing. */
export function priceCall(
  agent: Agent,
  model: ModelFacts | undefined,
  input: number,
  output: number,
): number | undefined {
  const { inputPerMillionUsd, outputPerMillionUsd } = agent.prices ?? {};
  const listed = model?.findPrice(input, output);
  const inputUsd = inputPerMillionUsd === undefined ? listed?.inputUsd : (inputPerMillionUsd * input) / 1_000_000;
  const outputUsd = outputPerMillionUsd === undefined ? listed?.outputUsd : (outputPerMillionUsd * output) / 1_000_000;
  return inputUsd === undefined || outputUsd === undefined ? undefined : inputUsd + outputUsd;
}
