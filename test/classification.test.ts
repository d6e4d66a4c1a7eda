import { describe, expect, it } from "vitest";
import { corpusAgents, corpusInOtherWords, corpusInputs, sharesWord } from "../bench/classification-corpus.ts";
import { indexAgents } from "../src/classify/index-agents.ts";
import { rankAgents } from "../src/classify/rank-agents.ts";

const MIN_CONFIDENCE = 0.4;
const inputs = corpusInputs();
const index = indexAgents(corpusAgents());
const judged = inputs.map((input) => {
  const { ranked, confidence } = rankAgents(index, input.say, new Map());
  const [first] = ranked;
  const isRight = first !== undefined && first.score > 0 && input.agents.includes(first.agent);
  return { ...input, confidence, isRight };
});
const heldOut = judged.filter(({ isForFitting }) => !isForFitting);

describe("the labelled inputs", () => {
  it("are at least 240, each once, over 12 agents that exist", () => {
    const ids = corpusAgents().map(({ id }) => id);
    expect(ids).toHaveLength(12);
    expect(inputs.length).toBeGreaterThanOrEqual(240);
    expect(new Set(inputs.map(({ say }) => say)).size).toBe(inputs.length);
    expect(inputs.flatMap(({ agents }) => agents).filter((agent) => !ids.includes(agent))).toEqual([]);
  });

  it("are held out by half, of every kind", () => {
    expect(heldOut.length / inputs.length).toBeCloseTo(0.5, 1);
    const kinds = new Set(inputs.map(({ kind }) => kind));
    expect(new Set(heldOut.map(({ kind }) => kind))).toEqual(kinds);
  });
});

describe("of the inputs that nothing is fitted to", () => {
  it("at least 85 % go to the right agent", () => {
    const owned = heldOut.filter(({ agents }) => agents.length > 0);
    expect(share(owned, ({ isRight }) => isRight)).toBeGreaterThanOrEqual(0.85);
  });

  it("most that go wrong have a low confidence, and most that go right have not", () => {
    const wrong = heldOut.filter(({ isRight }) => !isRight);
    const right = heldOut.filter(({ isRight }) => isRight);
    expect(share(wrong, ({ confidence }) => confidence < MIN_CONFIDENCE)).toBeGreaterThanOrEqual(0.7);
    expect(share(right, ({ confidence }) => confidence >= MIN_CONFIDENCE)).toBeGreaterThanOrEqual(0.9);
  });

  it("those with a confidence above 0.8 are right at least nine times out of ten", () => {
    const sure = heldOut.filter(({ confidence }) => confidence >= 0.8);
    expect(sure.length).toBeGreaterThan(50);
    expect(share(sure, ({ isRight }) => isRight)).toBeGreaterThanOrEqual(0.9);
  });
});

describe("of the inputs in other words", () => {
  const others = corpusInOtherWords().map((input) => ({ input, ...rankAgents(index, input.say, new Map()) }));

  it("none shares a word with its agent", () => {
    expect(others.filter(({ input }) => sharesWord(input, corpusAgents())).map(({ input }) => input.say)).toEqual([]);
    expect(others.length).toBeGreaterThanOrEqual(40);
  });

  it("two in three have a low confidence", () => {
    expect(share(others, ({ confidence }) => confidence < MIN_CONFIDENCE)).toBeGreaterThanOrEqual(0.66);
  });
});

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / items.length;
}
