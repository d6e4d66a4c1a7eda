import { describe, expect, it } from "vitest";
import { readAnswer } from "./question.ts";

describe("a typed answer", () => {
  const gate = { agent: "a", reason: "gate", prompt: "", options: ["approve", "reject", "redirect:<agent>"] } as const;
  const approval = { ...gate, reason: "approval", options: ["approve", "edit", "reject"] } as const;
  const words = { ...gate, reason: "signal", options: ["input"] } as const;

  it.each([
    [words, "approve of it", { input: "approve of it" }],
    [gate, "approve", { decision: "approve" }],
    [gate, " A ", { decision: "approve" }],
    [gate, "reject too early: wait", { decision: "reject", input: "too early: wait" }],
    [gate, "redirect:clerk", { decision: "redirect:clerk" }],
    [gate, "red clerk", { decision: "redirect:clerk" }],
    [gate, "re", { decision: "re" }],
    [gate, "edit {}", { decision: "edit {}" }],
    [approval, 'edit {"to": "Bob"}', { decision: "edit", args: { to: "Bob" } }],
  ])("to %j: %j", (paused, line, answer) => {
    expect(readAnswer(line, paused)).toEqual(answer);
  });

  it("whose arguments are no JSON is refused", () => {
    expect(() => readAnswer("edit to: Bob", approval)).toThrow("the arguments must be JSON");
  });
});
