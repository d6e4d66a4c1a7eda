import { describe, expect, it } from "vitest";
import { foldCase, isSignalName, MAX_TOKEN_LENGTH, normalizeName } from "./signal-name.ts";

describe("a signal's name", () => {
  it.each([
    "[END]",
    "[end]",
    "[A]",
    "[END_EXAM]",
    "[go-on]",
    "[ROUTE EXECUTOR]",
    "[STEP 2]",
    "[_]",
    "[٣]",
    "[KẾT_THÚC]",
    "[完了]",
    "[हिन्दी]",
  ])("may be %s", (name) => expect(isSignalName(name)).toBe(true));

  it.each([
    ["", "is empty"],
    ["[]", "has no name"],
    ["[ ]", "has only a space"],
    ["END", "has no brackets"],
    ["[END", "is not closed"],
    ["END]", "is not opened"],
    ["[[END]]", "has two brackets"],
    ["[ END]", "begins with a space"],
    ["[END ]", "ends with a space"],
    ["[END!]", "has punctuation"],
    ["[A.B]", "has a dot"],
    ["[A\tB]", "has a tab"],
    ["[A\nB]", "has a line end"],
    ["[END]\n", "is followed by a line end"],
    ["[✅]", "has a symbol"],
  ])("%j is none, since it %s", (name) => expect(isSignalName(name)).toBe(false));

  it("may be decomposed Unicode, whose marks count as characters of a name", () => {
    expect(isSignalName("[KẾT_THÚC]".normalize("NFD"))).toBe(true);
  });

  it("has at most 64 characters", () => {
    expect(isSignalName(`[${"A".repeat(64)}]`)).toBe(true);
    expect(isSignalName(`[${"A".repeat(65)}]`)).toBe(false);
  });

  it("has its characters counted and not their UTF-16 halves", () => {
    expect(isSignalName(`[${"𝐀".repeat(64)}]`)).toBe(true);
    expect(isSignalName(`[${"𝐀".repeat(65)}]`)).toBe(false);
  });

  it("is judged at once however long the text is", () => {
    expect(isSignalName(`[${"A ".repeat(500_000)}]`)).toBe(false);
    expect(MAX_TOKEN_LENGTH).toBeGreaterThanOrEqual(66);
  });
});

describe("folding case", () => {
  it("makes upper and lower case equal, Vietnamese too", () => {
    expect(foldCase("[KẾT_THÚC]")).toBe(foldCase("[kết_thúc]"));
  });

  it("makes a sigma at the end of a word equal to one inside it", () => {
    expect(foldCase("[ΤΕΛΟΣ]")).toBe(foldCase("[τελοσ]"));
    expect(foldCase("[τελος]")).toBe(foldCase("[τελοσ]"));
  });

  it("keeps a Turkish dotless ı apart from i", () => {
    expect(foldCase("[ıx]")).not.toBe(foldCase("[IX]"));
  });

  it("does not touch separators", () => {
    expect(foldCase("[A_B]")).not.toBe(foldCase("[A B]"));
  });
});

describe("normalising a name", () => {
  it.each([
    ["[ROUTE_EXECUTOR]", "[ Route Executor ]"],
    ["[ROUTE_EXECUTOR]", "[route-executor]"],
    ["[ROUTE_EXECUTOR]", "[Route _- Executor]"],
    ["[ROUTE_EXECUTOR]", "[__route  executor--]"],
    ["[ROUTE_EXECUTOR]", "[route\texecutor]"],
    ["[KẾT_THÚC]", "[ Kết Thúc ]"],
    ["[KẾT_THÚC]", "[ Kết Thúc ]".normalize("NFD")],
    ["[KẾT_THÚC]".normalize("NFD"), "[kết-thúc]"],
  ])("makes %j and %j equal", (a, b) => expect(normalizeName(a)).toBe(normalizeName(b)));

  it.each([
    ["[END]", "[ENDED]"],
    ["[END_EXAM]", "[ENDEXAM]"],
    ["[KẾT_THÚC]", "[KET_THUC]"],
    ["[A1]", "[A 1]"],
  ])("keeps %j and %j apart", (a, b) => expect(normalizeName(a)).not.toBe(normalizeName(b)));

  it("changes nothing the second time", () => {
    const once = normalizeName("[ Kết__Thúc ]");
    expect(normalizeName(once)).toBe(once);
  });
});
