import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRegex } from "./compile-regex.ts";

const tests = (source: string, text: string) => {
  const regex = compileRegex(source);
  if ("problem" in regex) throw new Error(regex.problem);
  return regex.test(text);
};

describe("a regular expression of linear time", () => {
  it.each<[string, string[]]>([
    ["", ["", "a"]],
    ["b", ["abc", "ac", ""]],
    ["^a|c$", ["abc", "bc", "b", "ca"]],
    ["^(a|bc)*d+?$", ["abcad", "d", "ab", "add", "bd"]],
    ["^a{2}b{1,2}c{2,}$", ["aabcc", "aabbcccc", "abcc", "aabbbcc", "aabc"]],
    ["a{0}b", ["b", "ab", "a"]],
    ["^(?:x?){3}$", ["", "x", "xxx", "xxxx"]],
    ["^(?<year>\\d{4})-\\d\\d$", ["2026-11", "26-11"]],
    ["\\bend\\b", ["the end.", "bending", "end"]],
    ["\\Bend", ["bend", "end"]],
    ["^.$", ["a", "\n", "😀", "ab"]],
    ["^[^a-c\\]]$", ["d", "b", "]", "\n"]],
    ["^\\p{L}+$", ["kết", "thúc1", "Σ"]],
    ["^\\u{1F600}\\x41\\u0042\\t$", ["😀AB\t", "AB"]],
    ["^\\[END\\]\\-\\#$", ["[END]-#", "END"]],
    ["^\\uD83D\\uDE00?$", ["😀", ""]],
    ["^[\\u{1F600}-\\u{1F64F}]😀\\D$", ["😀😀x", "😀😀1"]],
    ["^a{,2}$", ["a{,2}", "aa"]],
    ["^\\p{2}$", ["pp", "p{2}"]],
    ["(a*)*$", ["aaa", "b"]],
    ["()|x", ["y"]],
    ["[\\s\\S]*x", ["a\nx", "a\n"]],
    ["\\/\\.", ["/.", "//"]],
  ])("%j judges as JavaScript's does", (source, texts) => {
    const native = nativeOf(source);
    expect(texts.map((text) => tests(source, text))).toEqual(texts.map((text) => native.test(text)));
  });

  it("judges as JavaScript's does, whatever is put together", () => {
    const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\b", "^", "$", "é");
    const source = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,1}?", "*?"))
          .map(([a, sign]) => `(${a})${sign}`),
      ),
    })).node;
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", " ", "\n"), maxLength: 8 });
    fc.assert(fc.property(source, text, (each, on) => tests(each, on) === new RegExp(each, "u").test(on)));
  });

  it.each([
    ["a(?=b)", "looks ahead or behind"],
    ["(?<!a)b", "looks ahead or behind"],
    ["(a)\\1", "refers back"],
    ["(?<x>a)\\k<x>", "refers back"],
    ["(?i:a)", "changes its flags"],
    ["(a{1000}){1000}", "repeats too much"],
    [`${"(".repeat(60)}a${")".repeat(60)}`, "nested"],
    ["(a", "is none"],
  ])("%j is refused: %s", (source, why) =>
    expect(compileRegex(source)).toEqual({ problem: expect.stringContaining(why) }),
  );

  it.each(["^(a+)+$", "^(a|a)*$", "^(.*,){20}$", "a*a*a*a*a*a*b"])("%j takes a long text in its stride", (source) => {
    const before = process.cpuUsage();
    expect(tests(source, `${"a".repeat(20_000)}!`)).toBe(false);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

function nativeOf(source: string): RegExp {
  try {
    return new RegExp(source, "u");
  } catch {
    return new RegExp(source);
  }
}
