import { describe, expect, it } from "vitest";
import { indexSignals } from "./signal-index.ts";

function indexOf(...signals: readonly (string | readonly [name: string, priority: number])[]) {
  return indexSignals(
    signals.map((each) =>
      typeof each === "string" ? { name: each, priority: 50 } : { name: each[0], priority: each[1] },
    ),
  );
}

describe("resolving a token", () => {
  it.each([
    ["[END_EXAM]", "exact"],
    ["[end_exam]", "case_insensitive"],
    ["[End_Exam]", "case_insensitive"],
    ["[END EXAM]", "normalized"],
    ["[ end-exam ]", "normalized"],
  ] as const)("finds [END_EXAM] in %s at level %s", (token, level) => {
    expect(indexOf("[END_EXAM]").resolve(token)).toEqual({ signal: { name: "[END_EXAM]", priority: 50 }, level });
  });

  it.each(["[END]", "[ENDEXAM]", "[]", "[ ]", "[1]", "[END_EXAM", ""])("finds nothing in %j", (token) => {
    expect(indexOf("[END_EXAM]").resolve(token)).toBeUndefined();
  });

  it("finds Vietnamese names composed and decomposed", () => {
    const index = indexOf("[KẾT_THÚC]");
    expect(index.resolve("[ Kết Thúc ]".normalize("NFC"))).toMatchObject({ level: "normalized" });
    expect(index.resolve("[ Kết Thúc ]".normalize("NFD"))).toMatchObject({ level: "normalized" });
    expect(index.resolve("[kết_thúc]")).toMatchObject({ level: "case_insensitive" });
  });

  it("finds nothing where there are no signals", () => {
    expect(indexOf().resolve("[END]")).toBeUndefined();
  });

  it("gives back the very signal that was indexed, whatever else it carries", () => {
    const signal = { name: "[END]", priority: 1, target: "reporter" };
    expect(indexSignals([signal]).resolve("[end]")?.signal).toBe(signal);
  });
});

describe("of several signals that a token fits", () => {
  it("the one at the more exact level wins, whatever the priorities", () => {
    const index = indexOf(["[END]", 100], ["[end]", 1], ["[e n d]", 200]);
    expect(index.resolve("[end]")).toMatchObject({ signal: { name: "[end]" }, level: "exact" });
  });

  it("a match without case wins over a normalised one, whatever the priorities", () => {
    const index = indexOf(["[GO-ON]", 100], ["[GO_ON]", 1]);
    expect(index.resolve("[go_on]")).toMatchObject({ signal: { name: "[GO_ON]" }, level: "case_insensitive" });
  });

  it("the higher priority wins at one level", () => {
    expect(indexOf(["[End]", 10], ["[END]", 20]).resolve("[eND]")?.signal.name).toBe("[END]");
    expect(indexOf(["[GO-ON]", 10], ["[GO_ON]", 20]).resolve("[go on]")?.signal.name).toBe("[GO_ON]");
  });

  it("the earlier wins at one level and priority", () => {
    expect(indexOf("[End]", "[END]").resolve("[eND]")?.signal.name).toBe("[End]");
    expect(indexOf("[GO_ON]", "[GO-ON]").resolve("[go on]")?.signal.name).toBe("[GO_ON]");
    expect(indexOf("[GO-ON]", "[GO_ON]").resolve("[go on]")?.signal.name).toBe("[GO-ON]");
  });

  it("negative priorities rank below the others", () => {
    expect(indexOf(["[End]", -1], ["[END]", 0]).resolve("[eND]")?.signal.name).toBe("[END]");
  });
});

describe("indexing", () => {
  it("leaves the order of the given list alone", () => {
    const signals = [
      { name: "[A]", priority: 1 },
      { name: "[B]", priority: 2 },
    ];
    indexSignals(signals);
    expect(signals.map(({ name }) => name)).toEqual(["[A]", "[B]"]);
  });

  it("finds `[_]` only where it is written so: an empty box names no signal", () => {
    const index = indexSignals([{ name: "[_]", priority: 50 }]);
    expect(["[_]", "[ ]", "[-]", "[ _ ]"].map((token) => index.resolve(token)?.level)).toEqual([
      "exact",
      undefined,
      undefined,
      undefined,
    ]);
  });
});
