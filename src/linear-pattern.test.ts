import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileLinear, PatternProblem } from "./linear-pattern.ts";

/** Pieces of expressions, of all that is understood. */
const pieces =
  "a b ab . \\d \\w+ \\s* [ab] [^a] (a|b) (?:a|) a* a+? b? a{2} a{0,2} a{1,} ^ $ \\b \\B | (a*)* (b+)+ (?<n>a) [a-c0-9] \\. \\p{L} ế 😀 \\u0061 \\x62 a{ \\- [\\]a] \\n ] () (^a|b$) [] [^] (a|ab)(c|bcd)(d*)".split(
    " ",
  );
const letters = ["a", "b", "c", "d", "0", " ", "\n", ".", "ế", "😀", "_", "-", "{", "]"];
const quantifiers = ["", "*", "+", "?", "{1,3}", "{2}"];

describe("a linear pattern", () => {
  it("finds what JavaScript's own expressions find", () => {
    const expression = fc
      .tuple(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), fc.constantFrom(...quantifiers))
      .map(([parts, quantifier]) => (quantifier === "" ? parts.join("") : `(${parts.join("")})${quantifier}`));
    const text = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(expression, text, (source, words) => {
        const own = native(source);
        fc.pre(own !== undefined);
        expect(compileLinear(source).test(words)).toBe(own?.test(words));
      }),
      { numRuns: 3000 },
    );
  });

  it.each(["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "a*a*a*a*b"])(
    "takes time in proportion to the text: %s",
    (source) => {
      const started = performance.now();
      expect(compileLinear(source).test(`${"a".repeat(50_000)}!`)).toBe(false);
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  it("is made in time, however its groups are nested", () => {
    expect(compileLinear(`${"(".repeat(300)}a${")*".repeat(300)}`).test("b")).toBe(true);
  });

  it.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "(?<!a)b",
    "(a)\\1",
    "(?<n>a)\\k<n>",
    "(?i:a)",
    "(",
    "a{1,100000}",
    "((a{50}){50}){50}",
  ])("is refused where that cannot be kept: %s", (source) =>
    expect(() => compileLinear(source)).toThrow(PatternProblem),
  );
});

function native(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {}
  }
  return undefined;
}
