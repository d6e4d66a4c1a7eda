import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCells, cut, pad, wrap } from "./cells.ts";
import { cleanLine, cleanText } from "./clean-text.ts";

describe("countCells", () => {
  it.each([
    ["", 0],
    ["plain", 5],
    ["Kết Thúc", 8],
    ["Kết Thúc".normalize("NFD"), 8],
    ["月が引く", 8],
    ["ｆｕｌｌ", 8],
    ["한국", 4],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["🇻🇳", 2],
    ["╭ ⠹ ──▶ ✓", 9],
    ["\u001b[1mbold\u001b[22m", 4],
    ["a\u200bb", 2],
  ])("of %j is %i", (text, cells) => {
    expect(countCells(text)).toBe(cells);
  });
});

describe("wrap", () => {
  it.each([
    ["between words", "one two three", 7, ["one two", "three"]],
    ["inside a word that is too long", "a abcdefghij b", 4, ["a", "abcd", "efgh", "ij b"]],
    ["by cells", "月が海を引く", 5, ["月が", "海を", "引く"]],
    ["keeping indents and empty lines", "- a\n\n    code  here", 20, ["- a", "", "    code  here"]],
    ["dropping the space it breaks at", "four  four", 4, ["four", "four"]],
  ])("breaks %s", (_, text, columns, lines) => {
    expect(wrap(text, columns)).toEqual(lines);
  });

  it("loses nothing but space, and fits", () => {
    const unspaced = (text: string) => text.replace(/\s+/g, "");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 2, max: 30 }), (raw, columns) => {
        const text = cleanText(raw);
        const lines = wrap(text, columns);
        expect(unspaced(lines.join(""))).toBe(unspaced(text));
        expect(Math.max(...lines.map(countCells))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

it("cut and pad bring a text to a width", () => {
  expect([cut("abcdef", 4), cut("月が海", 4), cut("abc", 3), cut("abc", 0), pad("月", 4)]).toEqual([
    "abc…",
    "月…",
    "abc",
    "",
    "月  ",
  ]);
});

describe("cleanText", () => {
  it.each([
    ["colours and cursor moves", "\u001b[31mred\u001b[2J", "\\x1b[31mred\\x1b[2J"],
    ["titles and links", "\u001b]0;owned\u0007a\u001b\\b", "\\x1b]0;owned\\x07a\\x1b\\b"],
    ["8-bit controls", "a\u009b2Jb\u007f", "a\\u009b2Jb\\u007f"],
    ["bells, backspaces and returns", "a\u0007\bb\rc", "a\\x07\\x08b\\x0dc"],
    ["what turns text round", "\u202egnp.exe\u2066\u200f", "\\u202egnp.exe\\u2066\\u200f"],
  ])("writes out %s", (_, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it("makes tabs and line ends what they mean", () => {
    expect(cleanText("a\tb\r\nc\u2028d")).toBe("a  b\nc\nd");
  });

  it("leaves no control character in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(cleanText(text)).not.toMatch(/[^\P{Cc}\n]/u);
        expect(cleanLine(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
