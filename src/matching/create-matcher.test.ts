import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMatcher } from "./create-matcher.ts";

/** Expressions over few letters, so that texts often match. */
const { expression } = fc.letrec<{ expression: string; sequence: string; term: string; atom: string }>((tie) => ({
  atom: fc.constantFrom(
    ...[
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "[^]",
      "\\w",
      "\\s",
      "\\b",
      "\\B",
      "^",
      "$",
      "\\u0061",
      "\\x62",
      "\\.",
      "ü",
      "👍",
      "\\n",
    ],
  ),
  term: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("atom"),
    fc
      .tuple(tie("expression"), fc.constantFrom("", "?:", "?<n>", "?i:", "?s:", "?m:"))
      .map(([e, kind]) => `(${kind}${e})`),
    fc
      .tuple(tie("expression"), fc.constantFrom("*", "+", "?", "*?", "+?", "{2}", "{0,2}", "{1,}", "{0}"))
      .map(([e, times]) => `(?:${e})${times}`),
  ),
  sequence: fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
  expression: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((options) => options.join("|")),
}));
// Characters that take two places are tried below: V8 finds `\B` in the middle of one.
const text = fc
  .array(fc.constantFrom("a", "b", "A", " ", "\n", "ü", "."), { maxLength: 8 })
  .map((parts) => parts.join(""));

function ownOf(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {}
  }
  return undefined;
}

describe("a search for a regular expression", () => {
  it("finds what JavaScript's own finds", () => {
    fc.assert(
      fc.property(expression, text, (source, input) => {
        const own = ownOf(source);
        fc.pre(own !== undefined && source.length <= 80);
        expect(createMatcher(source)(input)).toBe(own?.test(input));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["\\p{Lu}{2}", "aBC", true],
    ["\\P{L}", "abc", false],
    ["^\\u{1f44d}$", "👍", true],
    ["^\\ud83d\\udc4d$", "👍", true],
    ["^[👍🙂]$", "🙂", true],
    ["^.$", "👍", true],
    ["a\\B", "a👍", false],
    ["👍\\B.", "👍\ud83d", true],
    // Not allowed among Unicode's: there a character takes one place or two.
    ["\\-[\\-]\\_{", "--_{", true],
    ["^.\\_?$", "👍", false],
    ["\\u{2}\\_?", "uu", true],
    ["a{,2}", "a{,2}", true],
    ["]\\012", "]\n", true],
    ["(?i:ÄB[c-d])e", "äbDe", true],
    ["(?i:a)b", "AB", false],
    ["(?i:a(?-i:b))", "Ab", true],
    ["(?i:a(?-i:b))", "AB", false],
    ["a{10000000000}", "", "too large"],
    ["(?:a{50}){50}", "", "too large"],
    ["(?:(?:){900}){900}", "", "too large"],
    [`${"(".repeat(200)}${")".repeat(200)}`, "", "100 deep"],
    ["(?=a)", "", "looks ahead or behind"],
    ["(?<!a)b", "", "looks ahead or behind"],
    ["(a)\\1", "", "refers back"],
    ["(?<x>a)\\k<x>", "", "refers back"],
    ["(", "", "it is none"],
  ])("of %s in %j: %s", (source, input, found) => {
    const match = () => createMatcher(source)(input);
    if (typeof found === "string") expect(match).toThrow(found);
    else expect(match()).toBe(found);
  });

  it("takes no longer for what JavaScript's own would not come to an end with", () => {
    const input = `${"a".repeat(50_000)}!`;
    for (const source of ["(a+)+$", "^(a|a)*$", "(?:a*)*b", ".*.*.*x", "\\s+$|(\\w+\\w+)+:"]) {
      expect(createMatcher(source)(input)).toBe(false);
      expect(createMatcher(`${source}|!`)(input)).toBe(true);
    }
  });
});
