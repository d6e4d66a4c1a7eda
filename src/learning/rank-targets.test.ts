import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Experience, estimateSuccessRate, expectSuccess } from "./expect-success.ts";
import { type Candidate, rankTargets } from "./rank-targets.ts";

const count = fc.nat({ max: 100_000 });
const outcomes = fc.record({ successes: count, failures: count });
const experience = fc.record({
  alike: outcomes,
  others: fc.array(outcomes, { maxLength: 12 }),
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
        expect(worse.expected).toBeLessThanOrEqual(expected + 1e-9);
        expect(better.expected).toBeGreaterThanOrEqual(expected - 1e-9);
      }),
    );
  });

  const widthOf = (known: Pick<Experience, "alike" | "others">) => {
    const { low, high } = expectSuccess({ ...known, fit: 0 });
    return high - low;
  };

  it("is surer the more is known", () => {
    const width = (times: number) => widthOf({ alike: { successes: 3 * times, failures: times }, others: [] });
    expect(width(1)).toBeGreaterThan(width(10));
    expect(width(10)).toBeGreaterThan(width(100));
  });

  it("is as sure of other kinds of inputs as the kinds that are known agree", () => {
    const none = { successes: 0, failures: 0 };
    const others = (...successes: readonly number[]) =>
      successes.map((each) => ({ successes: each, failures: 100 - each }));
    const agreeing = widthOf({ alike: none, others: others(70, 71, 69, 70, 72, 68) });
    const differing = widthOf({ alike: none, others: others(99, 40, 20, 95, 60, 90) });
    expect(agreeing).toBeLessThan(0.2);
    expect(differing).toBeGreaterThan(0.6);
    expect(widthOf({ alike: none, others: others(70) })).toBeGreaterThan(0.4);
  });

  it("counts handoffs on other kinds the more, the more kinds have turned out alike", () => {
    const expectedOf = (kinds: number) => {
      const others = Array.from({ length: kinds }, () => ({ successes: 27, failures: 3 }));
      return expectSuccess({ alike: { successes: 0, failures: 0 }, others, fit: 0 });
    };
    expect(expectedOf(1).expected).toBeLessThan(0.7);
    expect(expectedOf(2).low).toBeGreaterThan(expectedOf(1).low);
    expect(expectedOf(5).low).toBeGreaterThan(expectedOf(2).low + 0.2);
    expect(expectedOf(5).expected).toBeGreaterThan(0.85);
  });

  it.each([3, 10, 30, 100])(
    "lies within its bounds nine times in ten, after %i handoffs on inputs like this",
    (handoffs) => {
      const bounds = Array.from({ length: handoffs + 1 }, (_, successes) =>
        expectSuccess({ alike: { successes, failures: handoffs - successes }, others: [], fit: 0 }),
      );
      const rates = Array.from({ length: 200 }, (_, index) => (index + 0.5) / 200);
      const held = rates.map((rate) => {
        let probability = (1 - rate) ** handoffs;
        let covered = 0;
        for (const [successes, { low, high }] of bounds.entries()) {
          if (low <= rate && rate <= high) covered += probability;
          probability *= ((handoffs - successes) / (successes + 1)) * (rate / (1 - rate));
        }
        return covered;
      });
      const average = held.reduce((sum, each) => sum + each, 0) / rates.length;
      expect(average).toBeGreaterThan(0.88);
      expect(average).toBeLessThan(0.92);
    },
  );

  it.each([
    [1, 30],
    [2, 10],
    [3, 6],
  ])(
    "lies within its bounds nine times in ten, after handoffs on %i other kinds that tell nothing, %i on each",
    (kinds, handoffs) => {
      const outcomes = Array.from({ length: handoffs + 1 }, (_, successes) => ({
        successes,
        failures: handoffs - successes,
      }));
      // If any rate is as probable as another, so is any number of successes, and bounds hold as often as they are wide.
      let histories: (typeof outcomes)[] = [[]];
      for (let kind = 0; kind < kinds; kind++) {
        histories = histories.flatMap((others) => outcomes.map((outcome) => [...others, outcome]));
      }
      const widths = histories.map((others) => widthOf({ alike: { successes: 0, failures: 0 }, others }));
      const average = widths.reduce((sum, width) => sum + width, 0) / widths.length;
      expect(average).toBeGreaterThan(0.88);
      expect(average).toBeLessThan(0.92);
    },
  );

  it("goes by the description less and less, the more handoffs there are", () => {
    const known = (given: Pick<Experience, "alike" | "others">, fit: number) => expectSuccess({ ...given, fit });
    const half = (handoffs: number) => ({ successes: handoffs / 2, failures: handoffs / 2 });
    const nothing = { alike: half(0), others: [] };
    expect(known(nothing, 0.5).expected - known(nothing, 0).expected).toBeGreaterThan(0.05);
    expect(known(nothing, -0.5).expected - known(nothing, 0).expected).toBeLessThan(-0.05);
    const thousands = [
      { alike: half(1000), others: [] },
      { alike: half(0), others: [half(1000)] },
      { alike: half(0), others: Array.from({ length: 500 }, () => half(2)) },
      {
        alike: half(0),
        others: Array.from({ length: 5 }, (_, kind) => ({ successes: 50 * kind, failures: 200 - 50 * kind })),
      },
      { alike: half(20), others: [half(980)] },
    ];
    for (const given of thousands) {
      const without = known(given, 0);
      for (const fit of [-1, -0.5, 0.5, 1]) {
        const { expected, low, high } = known(given, fit);
        // Figures are shown in whole percent.
        expect(Math.abs(expected - without.expected)).toBeLessThan(0.005);
        expect(Math.abs(low - without.low)).toBeLessThan(0.005);
        expect(Math.abs(high - without.high)).toBeLessThan(0.005);
      }
    }
  });
});

describe("a success rate", () => {
  it("has Wilson's bounds", () => {
    const { expected = 0, low = 0, high = 0 } = estimateSuccessRate(8, 2) ?? {};
    expect([expected, low, high].map((share) => share.toFixed(3))).toEqual(["0.800", "0.490", "0.943"]);
    expect(estimateSuccessRate(0, 0)).toBeUndefined();
  });
});

describe("a ranking of targets", () => {
  const target = (agent: string, given: Partial<Candidate> = {}): Candidate => ({
    ...{ about: { id: agent, specialties: [] }, successes: 0, failures: 0, newest: [] },
    ...given,
  });
  const times = (number: number, input: string, isSuccess: boolean) =>
    Array.from({ length: number }, () => ({ input, isSuccess }));

  it("keeps the declared order where nothing tells targets apart", () => {
    expect(rankTargets([target("b"), target("a"), target("c")], "x").map(({ agent }) => agent)).toEqual([
      "b",
      "a",
      "c",
    ]);
    expect(rankTargets([], "x")).toEqual([]);
  });

  it("goes by inputs like this one before inputs in general", () => {
    const generalist = target("generalist", {
      successes: 70,
      failures: 30,
      newest: [
        ...times(20, "send me an invoice", true),
        ...times(50, "where is my parcel", true),
        ...times(30, "where is my parcel", false),
      ],
    });
    const newest = [...times(15, "the printer is jammed", true), ...times(15, "send me an invoice", false)];
    const specialist = target("specialist", { successes: 15, failures: 15, newest });
    const first = (input: string) => rankTargets([generalist, specialist], input)[0]?.agent;
    expect(first("an invoice, please send it")).toBe("generalist");
    expect(first("our printer jammed again")).toBe("specialist");
    expect(rankTargets([generalist, specialist], undefined)[0]?.agent).toBe("generalist");
  });

  it("knows words as whoever chooses who begins does: in any form, and the more a word tells the fewer use it", () => {
    const about = (id: string, description: string, ...specialties: readonly string[]) =>
      target(id, { about: { id, specialties, description } });
    const fits = (input: string, ...candidates: readonly Candidate[]) =>
      rankTargets(candidates, input).map(({ agent, fit }) => [agent, fit === 0 ? 0 : fit === 1 ? 1 : "some"]);
    const bills = about("bills", "takes care of refunding people");
    expect(fits("the refund, take care", bills, about("cares", "takes care of the rest"))).toEqual([
      ["bills", 1],
      ["cares", "some"],
    ]);
    expect(fits("is it for me", about("a", "is it for you"), about("b", "nothing", "hóa đơn"))[0]).toEqual(["a", 1]);
    expect(fits("hoa don", about("a", "orders"), about("b", "nothing", "hóa đơn"))).toEqual([
      ["b", 1],
      ["a", 0],
    ]);
  });

  it("says which one is worth a try: one of which little is known, where the first is no great success", () => {
    const poor = target("poor", {
      successes: 70,
      failures: 30,
      newest: [...times(70, "x y", true), ...times(30, "x y", false)],
    });
    const ranked = rankTargets([poor, target("new")], undefined);
    expect(ranked.map(({ agent, isWorthTrying }) => [agent, isWorthTrying])).toEqual([
      ["poor", false],
      ["new", true],
    ]);
    const good = target("good", { successes: 100, newest: times(100, "x y", true) });
    expect(rankTargets([good, target("new")], undefined).some(({ isWorthTrying }) => isWorthTrying)).toBe(false);
  });

  it("reads inputs in any script", () => {
    const newest = times(5, "Hóa đơn bị sai", true);
    const [first] = rankTargets([target("a"), target("b", { successes: 5, newest })], "hóa đơn của tôi sai");
    expect(first).toMatchObject({ agent: "b" });
    expect(first?.alike).toBeGreaterThan(2);
    const withoutMarks = rankTargets([target("a"), target("b", { successes: 5, newest })], "hoa don sai");
    expect(withoutMarks[0]?.alike).toBeGreaterThan(2);
  });
});
