import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanSignals, signalScopes } from "./scan-signals.ts";
import { indexSignals } from "./signal-index.ts";
import { createSignalScanner } from "./signal-scanner.ts";

const index = indexSignals(["[END]", "[GO_ON]", "[KẾT_THÚC]", "[WAIT]"].map((name) => ({ name, priority: 50 })));

/** Text made of the pieces that decide a verdict, so that random texts meet every rule. */
const answer = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "[END]",
        "[end]",
        "[ Go on ]",
        "[KẾT THÚC]",
        "[K\u1EBFt_Th\u00FAc]",
        "[WAIT]",
        "[[END]]",
        "[1]",
        "[",
      ),
      fc.constantFrom(
        "`",
        "``",
        "```",
        "```ts",
        "~~~",
        "~~~~",
        "> ",
        "- ",
        "1. ",
        "(http://x.y)",
        "[ref]",
        ": http://x",
      ),
      fc.constantFrom("\n", "\n\n", "\r\n", " ", "\t", "**", "# ", "<code>", "</code>", "."),
      fc.constantFrom("<pre>", "</pre>", "<!--", "-->", "    ", "\\[END\\]", "list[END]", "[ ]"),
      fc.string({ maxLength: 6 }),
      fc.lorem({ maxCount: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

describe("a scanner that is fed an answer in chunks", () => {
  it.each(signalScopes)("finds under %s what a scan of the whole text finds, however the text is cut", (scope) => {
    fc.assert(
      fc.property(answer, fc.array(fc.nat({ max: 12 }), { maxLength: 60 }), (text, cuts) => {
        const scanner = createSignalScanner(index, scope);
        const found = [...cutInto(text, cuts).flatMap((chunk) => scanner.push(chunk)), ...scanner.end()];
        expect(found).toEqual(scanSignals(text, index, scope));
      }),
      { numRuns: 1500 },
    );
  });

  it("reports a signal as soon as its line is complete", () => {
    const scanner = createSignalScanner(index, "outside_code");
    expect(scanner.push("over to you [GO")).toEqual([]);
    expect(scanner.push("_ON]\nand")).toMatchObject([{ token: "[GO_ON]", offset: 12 }]);
    expect(scanner.push(" on\n[GO_ON]\n")).toMatchObject([{ token: "[GO_ON]", offset: 27 }]);
  });
});

describe("the scopes are nested", () => {
  it("what acts under own_line or last_line acts under outside_code, and that acts anywhere", () => {
    const offsets = (text: string, scope: (typeof signalScopes)[number]) =>
      new Set(scanSignals(text, index, scope).map((match) => match.offset));
    fc.assert(
      fc.property(answer, (text) => {
        const outside = offsets(text, "outside_code");
        expect(offsets(text, "own_line").isSubsetOf(outside)).toBe(true);
        expect(offsets(text, "last_line").isSubsetOf(outside)).toBe(true);
        expect(outside.isSubsetOf(offsets(text, "anywhere"))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("texts that repeat what is hardest to judge", () => {
  const pieces = ["[", "[END](", "[END][", "`[END]``", "<code>[END]", "> [END]\n", "```\n[END]\n", "[END]**", "\n"];

  // If the work grew with the square of the length, these would take an hour instead of a second or so.
  it.each(signalScopes)("are scanned under %s 300 KB at a time, whole and in chunks", (scope) => {
    for (const piece of pieces) {
      const text = piece.repeat(300_000 / piece.length);
      const scanner = createSignalScanner(index, scope);
      let found = 0;
      for (let at = 0; at < text.length; at += 64) found += scanner.push(text.slice(at, at + 64)).length;
      expect(found + scanner.end().length).toBe(scanSignals(text, index, scope).length);
    }
  });
});

function cutInto(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(text.slice(at, at + length));
    at += length;
  }
  return [...chunks, text.slice(at)];
}
