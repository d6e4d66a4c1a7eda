import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineAgent, defineCrew, type Model } from "../src/index.ts";

/** Says its answer in pieces of the given lengths, over and over; where it is cut off, the rest when it is asked again. */
function speaking(whole: string, lengths: readonly number[], cutAt = whole.length): Model {
  return {
    name: "test/speaking",
    call: async ({ onText, calls }) => {
      const isCut = calls === 1 && cutAt < whole.length;
      const answer = isCut ? whole.slice(0, cutAt) : calls === 1 ? whole : whole.slice(cutAt);
      for (let at = 0, piece = 0; at < answer.length; piece++) {
        const length = lengths[piece % lengths.length] ?? 1;
        onText?.(answer.slice(at, at + length));
        at += length;
      }
      return { text: answer, toolCalls: [], finish: isCut ? "length" : "stop" };
    },
  };
}

function crewOf(model: Model, settings: Record<string, unknown> = {}): ReturnType<typeof defineCrew> {
  return defineCrew(
    {
      name: "one",
      agents: [defineAgent({ id: "a", prompt: "Say [DONE] or [ASK].", models: [model.name], max_retries: 0 })],
      routing: { signals: { a: [{ signal: "[DONE]" }, { signal: "[ASK]", type: "status" }] } },
      settings,
    },
    { models: { [model.name]: model } },
  );
}

async function say(answer: string, lengths: readonly number[], settings?: Record<string, unknown>, cutAt?: number) {
  let streamed = "";
  let output: string | undefined;
  for await (const event of crewOf(speaking(answer, lengths, cutAt), settings).stream("go")) {
    if (event.type === "text.delta") streamed = (event.data.startsOver ? "" : streamed) + event.data.text;
    if (event.type === "run.completed") output = event.data.output;
  }
  return { streamed, output };
}

const pieces = [
  "[DONE]",
  "**[ask]**",
  "[ Done ]",
  "`[DONE]`",
  "\\[DONE\\]",
  "[1]",
  "[",
  "Sent.",
  "Bye",
  ",",
  " ",
  "\n",
];
const others = [
  "\n\n",
  "- ",
  "```\n",
  "<think>Say [DONE]?</think>",
  "<think>",
  "</think>",
  "</THINKING>",
  "password: hunter2-Xy81",
  "> ",
];
const answer = fc
  .array(fc.constantFrom(...pieces, ...others), { minLength: 1, maxLength: 14 })
  .map((parts) => `Well. ${parts.join("")}`);

describe("an answer that is streamed", () => {
  it("joins to the output to the letter, however it is cut", async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        answer,
        lengths,
        fc.constantFrom("output", "all", "none"),
        fc.integer({ min: 1, max: 40 }),
        async (text, cuts, strip_signals, cutAt) => {
          const { streamed, output } = await say(text, cuts, { strip_signals }, cutAt);
          // A model that only thinks aloud has not answered.
          if (output !== undefined) expect(streamed).toBe(output);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("has no token that stands where it was cut off, and gone on with", async () => {
    const whole = { streamed: "Sent. Bye", output: "Sent. Bye" };
    expect(await say("Sent. [DONE] Bye", [4], {}, 9)).toEqual(whole);
  });

  it("starts over where a closing tag shows that its beginning was reasoning", async () => {
    const bye = { streamed: "Bye", output: "Bye" };
    expect(await say("Say [DONE]? I have to look.\n</think>\n\nBye", [4])).toEqual(bye);
    expect(await say("Hm. I have to look.\n</think>\n\nBye", [4], {}, 9)).toEqual(bye);
  });

  it("has no token of a signal, by default", async () => {
    expect(await say("Sent. [DO", [3])).toEqual({ streamed: "Sent. [DO", output: "Sent. [DO" });
    expect(await say("Sent. **[DONE]**\n\nBye. [ask]", [2])).toEqual({
      streamed: "Sent.\n\nBye.",
      output: "Sent.\n\nBye.",
    });
  });
});
