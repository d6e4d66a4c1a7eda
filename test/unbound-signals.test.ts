import { expect, it } from "vitest";
import { loadWrittenCrew } from "./load-written-crew.ts";

const crew = `version: "2.0"
name: pair
entry_point: a
agents: [a, b]
routing: { signals: { a: [{ signal: "[GO]", target: b }] }, defaults: { a: b } }
`;

function unboundIn(prompt: string): string[] {
  const agent = (text: string) => `---\ndescription: works\n---\n${text}\n`;
  const { diagnostics } = loadWrittenCrew({
    "crew.yaml": crew,
    "agents/a.md": agent(`${prompt} Say [GO].`),
    "agents/b.md": agent("Work."),
  });
  return diagnostics.filter(({ code }) => code === "unbound-signal").map(({ message }) => message);
}

it.each([
  "Finish with [DONE].",
  "Emit `[done]` once it works.",
  "If nothing is left, write [ DONE ] on a line of its own.",
  "You should always end your answer by saying [DONE].",
  "Khi xong, hãy trả lời [DONE].",
])("a prompt tells its agent to emit a signal: %s", (prompt) => {
  expect(unboundIn(prompt)).toHaveLength(1);
});

it.each([
  "Do not say [DONE].",
  "Never write [DONE] yourself.",
  "The reviewer says [DONE] when it is fine.",
  "If the answer is [DONE], go on.",
  "You get the output [DONE] of the checker.",
  "Lines such as [ERROR] disk full are logs.",
  "Say which list[DONE] is meant, and [1] is a footnote.",
  "Write a report. [DONE] is what the editor gives back.",
  "Say [NOBODY_REGISTERED].",
])("a prompt only speaks of a signal: %s", (prompt) => {
  expect(unboundIn(prompt)).toEqual([]);
});
