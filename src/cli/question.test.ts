import { describe, expect, it } from "vitest";
import { readTypedAnswer } from "../library/read-typed-answer.ts";

describe("a typed answer", () => {
  const gate = { agent: "a", reason: "gate", prompt: "", options: ["approve", "reject", "redirect:<agent>"] } as const;
  const approval = { ...gate, reason: "approval", options: ["approve", "edit", "reject"] } as const;
  const quota = { ...gate, reason: "quota", options: ["quota"] } as const;
  const ambiguous = { ...gate, reason: "ambiguous", options: ["happened", "not_happened"] } as const;
  const words = { ...gate, reason: "signal", options: ["input"] } as const;

  it.each([
    [ambiguous, "happened receipt 7", { decision: "happened", result: "receipt 7" }],
    [ambiguous, 'happened ""', { decision: "happened", result: "" }],
    [ambiguous, "not happened", { decision: "not_happened" }],
    [words, "approve of it", { input: "approve of it" }],
    [gate, "approve", { decision: "approve" }],
    [gate, " A ", { decision: "approve" }],
    [gate, "reject too early: wait", { decision: "reject", input: "too early: wait" }],
    [gate, "redirect:clerk", { decision: "redirect:clerk" }],
    [gate, "red clerk", { decision: "redirect:clerk" }],
    [gate, "re", { decision: "re" }],
    [gate, "edit {}", { decision: "edit {}" }],
    [quota, "max_cost_usd 2.5", { quota: { max_cost_usd: 2.5 } }],
    [quota, "max_llm_calls: 20, max_tokens=100000", { quota: { max_llm_calls: 20, max_tokens: 100_000 } }],
    [quota, "yes", { quota: {} }],
    [approval, 'edit {"to": "Bob"}', { decision: "edit", args: { to: "Bob" } }],
  ])("to %j: %j", (paused, line, answer) => {
    expect(readTypedAnswer(line, paused)).toEqual(answer);
  });

  it("that a call happened needs what the call gave", () => {
    expect(() => readTypedAnswer("happened", ambiguous)).toThrow(
      'write the result of the call: happened <result>; if it returned nothing: happened ""',
    );
  });

  it("whose arguments are no JSON is refused", () => {
    expect(() => readTypedAnswer("edit to: Bob", approval)).toThrow("the arguments must be JSON");
  });
});
