import { calcPrice, findProvider } from "@pydantic/genai-prices";
import type { Usage } from "../vocabulary/bill.ts";

/** Public facts about a model: its context window and its prices. */
export interface ListedModel {
  /** The tokens that fit into one request, if that is known. */
  readonly contextWindow: number | undefined;
  findPrice(usage: Usage): Price;
  /** Whether it costs nothing, so that its cost is known even if its tokens are not. */
  readonly isFree?: true;
}

/** What a call costs by the table. */
export interface Price {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** The table and the entry that the price comes from. Names are matched loosely, so this is recorded. */
  readonly entry: string;
}

/** A model on the user's own machine costs nothing, whatever it counts. */
const free: ListedModel = {
  contextWindow: undefined,
  findPrice: () => ({ inputUsd: 0, outputUsd: 0, entry: "ollama" }),
  isFree: true,
};

const noTokens = { input_tokens: 0, output_tokens: 0 };

/** Finds the entry of the maintained table for a model; undefined if there is none. */
export function findListedModel(provider: string, model: string): ListedModel | undefined {
  if (provider === "ollama") return free;
  if (findProvider({ providerId: provider }) === undefined) return undefined;
  const found = calcPrice(noTokens, model, { providerId: provider });
  if (found === null) return undefined;
  const entry = `genai-prices:${found.provider.id}/${found.model.id}`;
  return {
    contextWindow: found.model.context_window,
    findPrice({ input, output, cacheRead, cacheWrite }) {
      const tokens = {
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: cacheRead,
        cache_write_tokens: cacheWrite,
      };
      const price = calcPrice(tokens, model, { providerId: provider });
      if (price === null) throw new Error(`the price table lost its entry ${entry}`);
      return { inputUsd: price.input_price, outputUsd: price.output_price, entry };
    },
  };
}
