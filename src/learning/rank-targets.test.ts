import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectSuccess, successRate } from "./expect-success.ts";
import { type Candidate, rankTargets } from "./rank-targets.ts";

const count = fc.nat({ max: 100_000 });
const experience = fc.record({
  successes: count,
  failures: count,
  alike: fc.record({
    successes: fc.double({ min: 0, max: 200, noNaN: true }),
    failures: fc.double({ min: 0, max: 200, noNaN: true }),
  }),
  fit: fc.double({ min: -1, max: 1, noNaN: true }),
});

describe("what is expected of a path", () => {
  it("is a share within its bounds, whatever is known", () => {
    fc.assert(
      fc.property(experience, (known) => {
        const { low, expected, high } = expectSuccess(known);
        expect(0 <= low && low <= expected && expected <= high && high <= 1).toBe(true);
      }),
    );
  });

  it("rises with each success and falls with each failure", () => {
    fc.assert(
      fc.property(experience, (known) => {
        const { expected } = expectSuccess(known);
        const { successes, failures } = known.alike;
        const better = expectSuccess({ ...known, alike: { successes: successes + 1, failures } });
        const worse = expectSuccess({ ...known, alike: { successes, failures: failures + 1 } });
        expect(worse.expected <= expected && expected <= better.expected).toBe(true);
      }),
    );
  });

  it("is surer the more is known", () => {
    const spread = (times: number) => {
      const alike = { successes: 3 * times, failures: times };
      const { low, high } = expectSuccess({ ...alike, alike, fit: 0 });
      return high - low;
    };
    expect(spread(1)).toBeGreaterThan(spread(10));
    expect(spread(10)).toBeGreaterThan(spread(100));
  });
});

describe("a success rate", () => {
  it("has Wilson's bounds", () => {
    const { expected = 0, low = 0, high = 0 } = successRate(8, 2) ?? {};
    expect([expected, low, high].map((share) => share.toFixed(3))).toEqual(["0.800", "0.490", "0.943"]);
    expect(successRate(0, 0)).toBeUndefined();
  });
});

describe("a ranking of targets", () => {
  const rank = (candidates: readonly Candidate[], input?: string) => rankTargets(candidates, input, () => 0);
  const target = (agent: string, given: Partial<Candidate> = {}): Candidate => ({
    ...{ agent, successes: 0, failures: 0, newest: [] },
    ...given,
  });
  const times = (number: number, input: string, isSuccess: boolean) =>
    Array.from({ length: number }, () => ({ input, isSuccess }));

  it("keeps the declared order where nothing tells targets apart", () => {
    expect(rank([target("b"), target("a"), target("c")], "x").map(({ agent }) => agent)).toEqual(["b", "a", "c"]);
    expect(rank([], "x")).toEqual([]);
  });

  it("goes by inputs like this one before inputs in general", () => {
    const generalist = target("generalist", {
      successes: 70,
      failures: 30,
      newest: times(20, "send me an invoice", true),
    });
    const newest = [...times(15, "the printer is jammed", true), ...times(15, "send me an invoice", false)];
    const specialist = target("specialist", { successes: 15, failures: 15, newest });
    const first = (input: string) => rank([generalist, specialist], input)[0]?.agent;
    expect(first("an invoice, please send it")).toBe("generalist");
    expect(first("our printer jammed again")).toBe("specialist");
    expect(rank([generalist, specialist], undefined)[0]?.agent).toBe("generalist");
  });

  it("takes how well somebody fits from whoever knows better", () => {
    const ranked = rankTargets([target("a"), target("b")], "x", (agent) => (agent === "b" ? 1 : 0));
    expect(ranked).toMatchObject([
      { agent: "b", fit: 1 },
      { agent: "a", fit: 0 },
    ]);
  });

  it("says which one is worth a try: one of which little is known, where the first is no great success", () => {
    const poor = target("poor", {
      successes: 70,
      failures: 30,
      newest: [...times(70, "x y", true), ...times(30, "x y", false)],
    });
    const ranked = rank([poor, target("new")], undefined);
    expect(ranked.map(({ agent, isWorthTrying }) => [agent, isWorthTrying])).toEqual([
      ["poor", false],
      ["new", true],
    ]);
    const good = target("good", { successes: 100, newest: times(100, "x y", true) });
    expect(rank([good, target("new")], undefined).some(({ isWorthTrying }) => isWorthTrying)).toBe(false);
  });

  it("reads inputs in any script", () => {
    const newest = times(5, "Hóa đơn bị sai", true);
    const [first] = rank([target("a"), target("b", { successes: 5, newest })], "hóa đơn của tôi sai");
    expect(first).toMatchObject({ agent: "b" });
    expect(first?.alike).toBeGreaterThan(2);
  });
});
