import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitThinking, ThinkingSplitter } from "./split-thinking.ts";

describe("what a model thinks aloud in tags", () => {
  it.each([
    ["<think>Say [DONE]? No.</think>\n\nOver to you. [B]", "Over to you. [B]", "Say [DONE]? No."],
    ["<think>I never stop [DONE]", "", "I never stop [DONE]"],
    ["One <think>a</think> two<think>b</think>, three", "One two, three", "ab"],
    ["<THINK>Say [DONE]?</Think>Bye", "Bye", "Say [DONE]?"],
    ["<thinking>Say [DONE]?</thinking>\n\nBye", "Bye", "Say [DONE]?"],
  ])("is reasoning and no part of the answer: %j", (text, answer, reasoning) => {
    expect(splitThinking(text)).toEqual({ text: answer, reasoning, startsOver: false });
  });

  it.each([
    ["Say [DONE]? No.\n</think>\n\nOver to you. [B]", "Over to you. [B]", "Say [DONE]? No.\n"],
    ["Hm.</THINKING>One <think>a</think>two", "One two", "Hm.a"],
    ["</think>One", "One", ""],
    ["I never stop [DONE]</think>", "", "I never stop [DONE]"],
  ])("is everything before a closing tag that no opening tag precedes: %j", (text, answer, reasoning) => {
    expect(splitThinking(text)).toEqual({ text: answer, reasoning, startsOver: true });
  });

  it("has one closing tag: a second one is text", () => {
    expect(splitThinking("<think>a</think>One </think> two")?.text).toBe("One </think> two");
  });

  it("leaves a tag alone that is only mentioned in code", () => {
    expect(splitThinking("Write `<think>` first. [END]")?.text).toBe("Write `<think>` first. [END]");
    expect(splitThinking("Write `</think>` last. [END]")?.text).toBe("Write `</think>` last. [END]");
  });

  it("leaves a tag alone that stands in a code fence", () => {
    const text = "Write:\n```\n<think>Hm</think>\n```\n<think>Enough?</think>Done.";
    expect(splitThinking(text)).toEqual({
      text: "Write:\n```\n<think>Hm</think>\n```\nDone.",
      reasoning: "Enough?",
      startsOver: false,
    });
  });

  it("is told apart however the text is cut", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<think>",
        "</think>",
        "</Thinking>",
        "<",
        "<th",
        "</th",
        "ink>",
        "ing>",
        "`",
        "```",
        " ",
        "\n",
        "[END]",
      ),
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
          onRetracted: () => {
            parts.reasoning = parts.text;
            parts.text = "";
          },
        });
        let at = 0;
        for (const cut of cuts) {
          splitter.push(whole.slice(at, at + cut));
          at += cut;
        }
        splitter.push(whole.slice(at));
        splitter.end();
        const { text, reasoning } = splitThinking(whole) ?? { text: whole, reasoning: "" };
        expect(parts).toEqual({ text, reasoning });
      }),
      { numRuns: 2000 },
    );
  });
});
