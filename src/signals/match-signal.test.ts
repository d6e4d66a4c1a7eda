import { describe, expect, it } from "vitest";
import { matchSignal } from "./match-signal.ts";

const missed = { matched: false };

describe("matching one signal in a text", () => {
  it.each([
    ["Well done. [END]", "exact"],
    ["[end] of it", "case_insensitive"],
    ["[ End ]", "normalized"],
    ["[[END]]", "exact"],
    ["**[END]**", "exact"],
    ["see [1] and [END].", "exact"],
    ["an [ unclosed [END]", "exact"],
    ["(done [END])", "exact"],
    ["([END])", "exact"],
    ['"[END]"', "exact"],
    ["“[end]”", "case_insensitive"],
    ["„[END]“", "exact"],
    ["(all of [it [END]])", "exact"],
    ["f(x)[END]", "exact"],
    ["list[1][END]", "exact"],
    ['done"[END]"', "exact"],
    ["完了）[END]", "exact"],
    ["[END])", "exact"],
    ["[END]]", "exact"],
    ["[END]} (done)", "exact"],
  ] as const)("%j gives level %s", (text, level) => {
    expect(matchSignal("[END]", text)).toEqual({ matched: true, level });
  });

  it.each(["", "END", "[END", "END]", "[ENDED]", "[E\nND]", "[END\\x", "the end"])("%j does not match", (text) => {
    expect(matchSignal("[END]", text)).toEqual(missed);
  });

  it("tells of the most exact token where several match", () => {
    expect(matchSignal("[END]", "[ end ] [End] [END]")).toEqual({ matched: true, level: "exact" });
    expect(matchSignal("[END]", "[ end ] then [end]")).toEqual({ matched: true, level: "case_insensitive" });
  });

  it("takes spaces, underscores and dashes for one another", () => {
    expect(matchSignal("[ROUTE_EXECUTOR]", "[ Route Executor ]")).toEqual({ matched: true, level: "normalized" });
  });

  it.each(["NFC", "NFD"])("matches Vietnamese written in %s", (form) => {
    expect(matchSignal("[KẾT_THÚC]", "Xong rồi. [ Kết Thúc ]".normalize(form))).toEqual({
      matched: true,
      level: "normalized",
    });
  });
});

describe("where a token counts", () => {
  it.each([
    ["```\n[END]\n```", "in fenced code"],
    ["> [END]", "in a block quote"],
    ["write `[END]` to stop", "in inline code amid a sentence"],
    ["see [END](https://example.org)", "as the text of a link"],
    ["- one\n\ntwo\n\n    [END]", "in code that is indented after a list has ended"],
  ])("by default not in %j: %s", (text) => {
    expect(matchSignal("[END]", text)).toEqual(missed);
    expect(matchSignal("[END]", text, "anywhere")).toEqual({ matched: true, level: "exact" });
  });

  it("by default also in inline code that is alone on its line", () => {
    expect(matchSignal("[END]", "All done.\n`[END]`")).toEqual({ matched: true, level: "exact" });
  });

  it("under own_line only where it is alone on its line", () => {
    expect(matchSignal("[END]", "done [END]", "own_line")).toEqual(missed);
    expect(matchSignal("[END]", "done\n**[END]**\nbye", "own_line")).toEqual({ matched: true, level: "exact" });
  });

  it("under last_line only on the last line that is not blank", () => {
    expect(matchSignal("[END]", "[END]\nbye", "last_line")).toEqual(missed);
    expect(matchSignal("[END]", "done\nbye [END]\n\n", "last_line")).toEqual({ matched: true, level: "exact" });
  });
});
