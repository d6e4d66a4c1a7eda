import { describe, expect, it } from "vitest";
import { findMismatch } from "./match.ts";

describe("what a scenario expects", () => {
  it.each<[unknown, unknown]>([
    ["exact", "exact"],
    [{ contains: "b" }, "abc"],
    [{ matches: "^a.c$" }, "abc"],
    [{ not: "x" }, "abc"],
    [{ contains: "a", not: { contains: "z" } }, "abc"],
    [
      ["a", { contains: "b" }],
      ["a", "abc"],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ usd: 0.3 }, { usd: 0.1 + 0.2 }],
    [{ data: { message: { contains: "x" } } }, { data: { message: "xyz", other: 1 } }],
  ])("%j fits %j", (expected, actual) => expect(findMismatch(expected, actual, "it")).toBeUndefined());

  it.each<[unknown, unknown, string]>([
    ["exact", "exact ", 'it\n    expected  "exact"\n    got       "exact "'],
    [{ contains: "z" }, "abc", 'it\n    expected to contain "z"\n    got       "abc"'],
    [{ not: { contains: "a" } }, "abc", 'it\n    expected not to be {"contains":"a"}\n    got       "abc"'],
    [{ contains: "a", matches: "^z" }, "abc", 'it\n    expected to match "^z"\n    got       "abc"'],
    [0.3, 0.3001, "it\n    expected  0.3\n    got       0.3001"],
    [10_000_000_000, 10_000_000_001, "it\n    expected  10000000000\n    got       10000000001"],
    [{ a: { matches: "." } }, {}, 'it.a\n    expected to match "."\n    got       nothing'],
    [{ a: { contains: "ul" } }, { a: null }, 'it.a\n    expected to contain "ul"\n    got       null'],
    [["a"], ["a", "b"], 'it\n    expected  ["a"]\n    got       ["a","b"]'],
    [["a", "b"], ["a", "c"], 'it[1]\n    expected  "b"\n    got       "c"'],
    [{ a: { b: 1 } }, { a: {} }, "it.a.b\n    expected  1\n    got       nothing"],
  ])("%j does not fit %j, and says how", (expected, actual, says) =>
    expect(findMismatch(expected, actual, "it")).toBe(says),
  );

  it("says of a pattern in an event that it is none", () => {
    expect(() => findMismatch({ data: { message: { matches: "(" } } }, { data: { message: "x" } }, "event")).toThrow(
      /^event\.data\.message: 'matches' must be a regular expression: Invalid/,
    );
  });
});
