import { describe, expect, it } from "vitest";
import { findMutants } from "../mutate/find-mutants.ts";
import { instrument } from "../mutate/instrument.ts";

function changesOf(text: string): string[] {
  return findMutants("source.ts", text).map(({ original, replacement }) => `${original} → ${replacement}`);
}

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch {
    return "threw";
  }
}

describe("the mutants of a source", () => {
  it.each([
    ["if (a > 1) b();", ["a > 1 → true", "a > 1 → false", "a > 1 → a >= 1", "1 → 0", "b() → undefined"]],
    ["const c = a === b;", ["a === b → a !== b"]],
    ["const c = a && !b;", ["a && !b → a || !b", "!b → b"]],
    ["const c = a ?? b;", ["a ?? b → a"]],
    ["const c = a + b;", ["a + b → a - b"]],
    ["const c = a?.b?.(c);", ["a?.b?.(c) → a?.b(c)", "a?.b?.(c) → a.b?.(c)"]],
    ["const c = { d: true, e: 600, f: 'g', h: '' };", ["true → false", "600 → 0", "'g' → \"\"", "'' → \"changed\""]],
    ["const c = `a/b`;", ['`a/b` → ""']],
    ["const c = a.filter(b);", ["a.filter(b) → a"]],
    ["const c = Math.min(a, b);", ["Math.min(a, b) → Math.max(a, b)"]],
    ["function f() { return a; }", ["a → undefined"]],
    ["const f = () => a;", ["a → undefined"]],
    ["for (const a of b) continue;", ["continue; → ;"]],
    ["c = a; delete d.e; await f();", ["c = a → undefined", "delete d.e → undefined", "await f() → undefined"]],
    [
      "if (a) throw new BatonError('no-b', b);",
      ["a → true", "a → false", expect.stringContaining("throw"), "'no-b' → \"\""],
    ],
  ])("of `%s` are all that a test should notice", (text, changes) => {
    expect(changesOf(text)).toEqual(changes);
  });

  it.each([
    "import a from 'b';",
    "export { a } from 'b';",
    "type A = 'b' | 1;",
    "const a: 'b' = c as 'd';",
    "const a = 'text for people';",
    "const message = `${a ? 1 : 2} things are wrong`;",
    "throw new Error(a ? b : c);",
    "const a = () => {};",
    "a satisfies never;",
  ])("of `%s` are none", (text) => {
    expect(changesOf(text)).toEqual([]);
  });

  it("are active one at a time, and without one the program is as it was", async () => {
    const text = "export function f(a, b) {\n  if (a === 1 && !b) return [a + 1];\n  return b ?? a?.c;\n}\n";
    const mutants = findMutants("source.js", text);
    const mutantSwitch = "data:text/javascript,export const isMutant = (id) => id === globalThis.activeMutant;";
    const source = instrument(text, mutants, (mutant) => mutants.indexOf(mutant), mutantSwitch);
    const { f } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const results = [-1, ...mutants.keys()].map((active) => {
      Object.assign(globalThis, { activeMutant: active });
      return JSON.stringify([[1], [0], [1, 2], [{ c: 3 }], []].map((args) => attempt(() => f(...args))));
    });
    Object.assign(globalThis, { activeMutant: undefined });
    expect(results[0]).toBe("[[2],null,2,3,null]");
    expect(results.slice(1).filter((result) => result === results[0])).toEqual([]);
    expect(source.split("\n")).toHaveLength(text.split("\n").length);
  });
});
