import { describe, expect, it } from "vitest";
import { findJsonBlock } from "./find-json-block.ts";

describe("the last JSON block of a text", () => {
  it.each([
    ["the whole text", '{"a": [1, 2.5e3, -0, true, null, "x\\"]\\u00e9"]}', { a: [1, 2500, -0, true, null, 'x"]é'] }],
    ["behind words, before a signal", 'Here it is: ["a", "b"] [NEXT]', ["a", "b"]],
    ["in a fence", 'So:\n```json\n{"a": 1}\n```\n[NEXT]', { a: 1 }],
    ["the last of several", '{"a": 1}\n\n{"a": 2}', { a: 2 }],
    ["the one that begins a line, and no reference in words", '{"a": 1}\nas in [1] and [2, 3].', { a: 1 }],
    ["the last of several in a line", 'first ["a"], then {"b": 1}, as in [3]', { b: 1 }],
    ["a list of numbers where there is nothing else", "take [1, 2]", [1, 2]],
    ["what is whole beside a reference that is none", '{"a": 1} see [1, p. 5]', { a: 1 }],
    ["before a signal in two pairs of brackets", '{"a": 1}\n[[NEXT]]\n{{x}}', { a: 1 }],
    ["behind brackets that are none", "[see {note}] [[A]] {x}\n[]", []],
    ["within brackets that are none", '[see {"a": 1}]', { a: 1 }],
    ["behind a string that never ends", '["a\n{"b": 1}', { b: 1 }],
  ])("is found as %s", (_, text, value) => {
    expect(findJsonBlock(text)).toEqual({ value });
  });

  it.each([
    ["has none", "nothing [NEXT]", "it has no JSON"],
    ["breaks off", '{"a": [1, 2', "its JSON is broken: "],
    ["has a slip", '{"a": [1, 2,]}', "its JSON is broken: "],
    ["has an earlier block that is whole", '{"a": 1}\nNow:\n{"a": [1, 2}', "its JSON is broken: "],
    ["is nested deeper than anybody means", `${"[".repeat(200)}${"]".repeat(200)}`, "its JSON is nested too deep"],
  ])("is a problem where the text %s", (_, text, problem) => {
    expect(findJsonBlock(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it.each(["[", "{", '["', '{"a":', "[1,", '["\\"', "[[1],", " ["])(
    "is looked for in linear time in many %s",
    (part) => {
      // Looked at again and again, a text of this length would take minutes.
      expect(findJsonBlock(part.repeat(1_000_000 / part.length))).toHaveProperty("problem");
    },
  );
});
