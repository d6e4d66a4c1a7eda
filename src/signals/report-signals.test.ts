import { describe, expect, it } from "vitest";
import { reportSignals } from "./report-signals.ts";

describe("the report of a crew's signals", () => {
  it("says who emits each, where that leads, and how often it was seen in runs", () => {
    const signals = ["[A]", "[B]", "[C]", "[D]"].map((name) => ({ name, behavior: "route" }));
    const uses = new Map(["[A]", "[B]", "[C]"].map((name) => [name, [{ agent: "x", to: "y" }]]));
    const seen = new Map([
      ["[B]", 1],
      ["[C]", 12],
      ["[D]", 3],
    ]);
    expect(reportSignals(signals, uses, seen)).toBe(`=== SIGNAL REGISTRY REPORT ===
Total Signals Registered: 4

--- route Signals (4) ---
[A]
    x -> y
    never seen in recorded runs
[B]
    x -> y
    seen once in recorded runs
[C]
    x -> y
    seen 12 times in recorded runs
[D]
    never bound
`);
  });
});
