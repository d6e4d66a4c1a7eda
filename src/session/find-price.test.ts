import { describe, expect, it } from "vitest";
import type { ListedModel } from "../models/price-table.ts";
import { findPrice } from "./find-price.ts";

const usage = { input: 1_000_000, output: 2_000_000, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 3_000_000 };
const listed: ListedModel = {
  contextWindow: undefined,
  findPrice: ({ input, output }) => ({ inputUsd: input / 1e6, outputUsd: (10 * output) / 1e6, entry: "table" }),
};
const free: ListedModel = { ...listed, findPrice: () => ({ inputUsd: 0, outputUsd: 0, entry: "free" }), isFree: true };
const prices = (input?: number, output?: number) => ({
  prices: { inputPerMillionUsd: input, outputPerMillionUsd: output },
});

describe("what a model call costs", () => {
  it.each([
    ["the table's price", usage, listed, prices(), { usd: 21, entry: "table" }],
    ["the agent's own prices", usage, listed, prices(2, 3), { usd: 8, entry: "agent" }],
    [
      "the agent's price for input and the table's for output",
      usage,
      listed,
      prices(2),
      { usd: 22, entry: "agent, table" },
    ],
    [
      "the table's price for input and the agent's for output",
      usage,
      listed,
      prices(undefined, 3),
      { usd: 7, entry: "agent, table" },
    ],
    ["unknown for a model that is not listed", usage, undefined, prices(), undefined],
    ["unknown where only one price is known", usage, undefined, prices(2), undefined],
    ["unknown where the tokens are unknown", undefined, listed, prices(), undefined],
    ["unknown where only the input is free and the tokens are unknown", undefined, listed, prices(0), undefined],
    ["nothing for a free model, though the tokens are unknown", undefined, free, prices(), { usd: 0, entry: "free" }],
    [
      "nothing where the agent's prices are 0, though the tokens are unknown",
      undefined,
      listed,
      prices(0, 0),
      { usd: 0, entry: "agent" },
    ],
    [
      "unknown for a free model whose agent has prices, where the tokens are unknown",
      undefined,
      free,
      prices(1, 1),
      undefined,
    ],
  ])("is %s", (_, counted, model, agent, price) => {
    expect(findPrice(counted, { listed: model }, agent)).toEqual(price);
  });
});
