import { describe, expect, it } from "vitest";
import type { QuotaFacts } from "../vocabulary/event-data.ts";
import { quotaWords } from "./quota-words.ts";

const facts: QuotaFacts = {
  quota: "max_tokens",
  level: "agent",
  of: "writer",
  per: "day",
  limit: 1000,
  used: 900,
  reserved: 50,
  wanted: 120,
};

describe("the words for a cap", () => {
  it("say how it stands, and what the call may take", () => {
    expect(quotaWords(facts)).toBe(
      "max_tokens of agent 'writer' is 1000 a day: 900 used, 50 held for calls under way, this call may take 120",
    );
  });

  it("leave out what is nothing", () => {
    expect(quotaWords({ ...facts, level: "run", per: "run", reserved: 0, wanted: 0 })).toBe(
      "max_tokens of the run is 1000: 900 used",
    );
  });

  it("say that a cap of single calls knows nothing that was used", () => {
    expect(quotaWords({ ...facts, quota: "max_tokens_per_call", reserved: 0 })).toBe(
      "max_tokens_per_call of agent 'writer' is 1000 a day: this call may take 120",
    );
  });

  it("say that the price is unknown, and write dollars without tails", () => {
    const dollars = { ...facts, quota: "max_cost_usd", limit: 0.1 + 0.2 };
    expect(quotaWords({ ...dollars, wanted: null })).toBe(
      "max_cost_usd of agent 'writer' is $0.3 a day, which cannot be checked: the price of this call is unknown",
    );
  });
});
