import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitThinking, ThinkingSplitter } from "./split-thinking.ts";

describe("what a model thinks aloud in tags", () => {
  it.each([
    ["<think>Say [DONE]? No.</think>\n\nOver to you. [B]", "Over to you. [B]", "Say [DONE]? No."],
    ["<think>I never stop [DONE]", "", "I never stop [DONE]"],
    ["One <think>a</think> two<think>b</think>, three", "One two, three", "ab"],
  ])("is reasoning and no part of the answer: %j", (text, answer, reasoning) => {
    expect(splitThinking(text)).toEqual({ text: answer, reasoning });
  });

  it("leaves a tag alone that is only mentioned in code", () => {
    expect(splitThinking("Write `<think>` first. [END]")?.text).toBe("Write `<think>` first. [END]");
  });

  it("leaves a tag alone that stands in a code fence", () => {
    const text = "Write:\n```\n<think>Hm</think>\n```\n<think>Enough?</think>Done.";
    expect(splitThinking(text)).toEqual({ text: "Write:\n```\n<think>Hm</think>\n```\nDone.", reasoning: "Enough?" });
  });

  it("is told apart however the text is cut", () => {
    const piece = fc.oneof(
      fc.constantFrom("<think>", "</think>", "<", "<th", "ink>", "`", "```", " ", "\n", "[END]"),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 40 }), (whole, cuts) => {
        const parts = { text: "", reasoning: "" };
        const splitter = new ThinkingSplitter({
          onText: (said) => {
            parts.text += said;
          },
          onReasoning: (thought) => {
            parts.reasoning += thought;
          },
        });
        let at = 0;
        for (const cut of cuts) {
          splitter.push(whole.slice(at, at + cut));
          at += cut;
        }
        splitter.push(whole.slice(at));
        splitter.end();
        expect(parts).toEqual(splitThinking(whole) ?? { text: whole, reasoning: "" });
      }),
      { numRuns: 2000 },
    );
  });
});
