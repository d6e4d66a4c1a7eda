import { describe, expect, it } from "vitest";
import { signalsAround } from "./read-signals.ts";

function split(text: string): readonly string[] {
  const matches = [...text.matchAll(/\[[A-Z]+\]/g)].map(({ 0: token, index }) => ({ token, offset: index }));
  const { before, body, after } = signalsAround(text, matches);
  return [before, body, after];
}

describe("the signals around a text", () => {
  it.each([
    ["it is done", ["", "it is done", ""]],
    ["it is done [DONE]", ["", "it is done", " [DONE]"]],
    ["[A] it is done\n[B] [DONE]", ["[A] ", "it is done", "\n[B] [DONE]"]],
    ["it [A] is done", ["", "it [A] is done", ""]],
    ["[A] it [B] is done [DONE]", ["[A] ", "it [B] is done", " [DONE]"]],
    ["**[A]** it is done `[DONE]`", ["**[A]** ", "it is done", " `[DONE]`"]],
    ["***[A]*** it is done", ["***[A]*** ", "it is done", ""]],
    ["****[A]**** it is done", ["", "****[A]**** it is done", ""]],
    ["*[A]_ it is done", ["", "*[A]_ it is done", ""]],
    ["  it is done  ", ["  ", "it is done", "  "]],
    ["[DONE]", ["[DONE]", "", ""]],
  ])("of %j are %j", (text, parts) => {
    expect(split(text)).toEqual(parts);
  });
});
