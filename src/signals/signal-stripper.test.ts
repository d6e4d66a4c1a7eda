import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanSignals, signalScopes } from "./scan-signals.ts";
import { indexSignals } from "./signal-index.ts";
import { SignalStripper } from "./signal-stripper.ts";
import { stripTokens } from "./stripped-lines.ts";

const index = indexSignals(["[DONE]", "[GO]", "[ROUTE_EXECUTOR]", "[KEPT]"].map((name) => ({ name, priority: 50 })));
const isStripped = ({ name }: { readonly name: string }) => name !== "[KEPT]";

function strip(text: string, scope: (typeof signalScopes)[number] = "outside_code"): string {
  return stripTokens(
    text,
    scanSignals(text, index, scope).filter(({ signal }) => isStripped(signal)),
  );
}

describe("a text without its signal tokens", () => {
  it.each([
    ["Sent. [DONE] Bye.", "Sent. Bye."],
    ["all finished [DONE]", "all finished"],
    ["all finished  [DONE]  \n", "all finished"],
    ["[DONE] all finished", "all finished"],
    ["[DONE]", ""],
    ["  [DONE]\n\n", ""],
    ["[DONE]\n\nall finished", "all finished"],
    ["one\n\n[DONE]\n\ntwo", "one\n\ntwo"],
    ["one\n[DONE]\ntwo", "one\ntwo"],
    ["one\n[DONE]\n\ntwo", "one\n\ntwo"],
    ["one\n\n[DONE]\ntwo", "one\n\ntwo"],
    ["one\n\n[DONE]\n\n[GO]\n\ntwo", "one\n\ntwo"],
    ["one\n\n[DONE]\n  two", "one\n\n  two"],
    ["[DONE]\n\n  two", "  two"],
    ["one\r\n\r\n[DONE]\r\n\r\ntwo\r\n", "one\r\n\r\ntwo\r\n"],
    ["one\n\n**[DONE]**", "one"],
    ["one\n\n`[DONE]`\n", "one"],
    ["one ***[DONE]*** two", "one two"],
    ["**[DONE] [GO]**\ntwo", "two"],
    ["**[DONE] All finished.**", "**All finished.**"],
    ["**All finished. [DONE]**", "**All finished.**"],
    ["one **[DONE]**, two", "one, two"],
    ["Sent. [DONE].", "Sent."],
    ["Sent [DONE].", "Sent."],
    ["[DONE]: all finished", "all finished"],
    ["- one\n- [DONE]\n", "- one"],
    ["1. one\n2. [DONE]", "1. one"],
    ["- [DONE] one\n- two", "- one\n- two"],
    ["## [DONE]\n\none", "one"],
    ["one ([DONE]) two", "one two"],
    ["one (see [DONE]) two", "one (see) two"],
    ["one [[DONE]] two", "one two"],
    ['one "[DONE]" two', "one two"],
    ["one „[DONE]“ two", "one two"],
    ["one ‹[DONE]› two", "one two"],
    ["one »[DONE]« two", "one two"],
    ["(one [DONE])", "(one)"],
    ['"[DONE]"', ""],
    ["(one [two [DONE]])", "(one [two])"],
    ["one) [DONE]", "one)"],
    ["«one» [DONE] two", "«one» two"],
    ["„one“ [DONE] two", "„one“ two"],
    ["one [DONE] „two“", "one „two“"],
    ["one [DONE] »two«", "one »two«"],
    ["one **bold** [DONE] **bold** two", "one **bold** **bold** two"],
    ["one [ Route Executor ] two [route-executor]", "one two"],
    ["one \\[DONE\\] two", "one two"],
    ["one [DONE] [GO] two", "one two"],
    ["one\n\n---\n\n[DONE]", "one\n\n---"],
    ["| a | [DONE] |\n| b | c |", "| a | |\n| b | c |"],
    ["[KEPT] and [1] and [DONE", "[KEPT] and [1] and [DONE"],
    [
      "write `[DONE]` to end\n\n```\n[DONE]\n```\n\n> [DONE]\n",
      "write `[DONE]` to end\n\n```\n[DONE]\n```\n\n> [DONE]\n",
    ],
    ["xong.[DONE]", "xong."],
    ["完了しました[DONE]。", "完了しました。"],
  ])("%j becomes %j", (text, stripped) => {
    expect(strip(text)).toBe(stripped);
  });

  it("keeps the tokens of earlier lines where only the last line counts", () => {
    expect(strip("[GO] one\n\ntwo [DONE]\n\n", "last_line")).toBe("[GO] one\n\ntwo");
  });

  it("is what it was where no token counts", () => {
    fc.assert(
      fc.property(answer, (text) => {
        fc.pre(scanSignals(text, index, "outside_code").filter(({ signal }) => isStripped(signal)).length === 0);
        expect(strip(text)).toBe(text);
      }),
    );
  });

  it("has no token, no double space and no empty line that was not there", () => {
    const word = fc.constantFrom("one", "two,", "three.", "(four)", "**five**", "[DONE]", "**[GO]**", "`[x]`");
    const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const text = lines.join("\n").replace(/\n{3,}/g, "\n\n");
        const stripped = strip(text);
        expect(stripped).not.toMatch(/\[DONE\]|\[GO\]|\*\*\*\*| {2}|\n\n\n/);
      }),
    );
  });

  it.each(signalScopes)("is the same under %s however the text is cut", (scope) => {
    fc.assert(
      fc.property(answer, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (text, cuts) => {
        const stripper = new SignalStripper(index, scope, isStripped);
        let said = "";
        let at = 0;
        for (const cut of cuts) {
          said += stripper.push(text.slice(at, at + cut));
          at += cut;
        }
        said += stripper.push(text.slice(at)) + stripper.end();
        expect(said).toBe(strip(text, scope));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["Готово", "完了しました", "👍", "Done!"])("streams %s at once, since no token takes it along", (text) => {
    expect(new SignalStripper(index, "outside_code", isStripped).push(text)).toBe(text);
  });

  it("streams words as they come, up to what may be taken out", () => {
    const stripper = new SignalStripper(index, "outside_code", isStripped);
    const said = ["All ", "fin", "ished. **", "[", "DO", "NE]**", " Bye", ".\nAnd", " [1] more"].map((chunk) =>
      stripper.push(chunk),
    );
    expect(said).toEqual(["All", " fin", "ished.", "", "", "", "", " Bye.\nAnd", " [1] more"]);
  });
});

/** Text made of the pieces that decide what is removed. */
const answer = fc
  .array(
    fc.oneof(
      fc.constantFrom("[DONE]", "[go]", "[ Route Executor ]", "\\[DONE\\]", "[[GO]]", "[KEPT]", "[1]", "[", "]", "\\"),
      fc.constantFrom("`", "```", "~~~", "> ", "- ", "1. ", "1", "(http://x.y)", "(", ")", '"', "(", "**", "_", "# "),
      fc.constantFrom("\n", "\n\n", "\r\n", " ", "\t", ".", ",", "!", ":", "<pre>", "</pre>", "<!--", "-->", "    "),
      fc.string({ maxLength: 4 }),
      fc.lorem({ maxCount: 2 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""));
