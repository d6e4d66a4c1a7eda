import { describe, expect, it } from "vitest";
import { buildFork, listForkKinds } from "../live/build-fork.ts";
import { readVariables } from "../live/read-variables.ts";
import { buildAnswer, listDecisions, takesRedirect } from "./build-answer.ts";

const gate = { agent: "a", reason: "gate", prompt: "Go?", options: ["approve", "reject", "redirect:b"] } as const;

describe("an answer", () => {
  it("offers the decisions that its question takes", () => {
    expect(listDecisions(gate)).toEqual(["approve", "reject", "redirect:b"]);
  });

  it("offers a choice of agents where it may go to any of them", () => {
    const any = { ...gate, options: ["approve", "redirect:<agent>"] } as const;
    expect([listDecisions(any), takesRedirect(any), takesRedirect(gate)]).toEqual([["approve"], true, false]);
  });

  it("has words only where somebody wrote some", () => {
    expect(buildAnswer(gate, "approve", " ")).toEqual({ answer: { decision: "approve" } });
    expect(buildAnswer(gate, "reject", "Too early")).toEqual({ answer: { decision: "reject", input: "Too early" } });
  });

  it("says what is wrong with edited arguments, a quota or an empty text", () => {
    expect(buildAnswer(gate, "edit", "{")).toMatchObject({ problem: expect.stringContaining("JSON") });
    const quota = { ...gate, reason: "quota", options: ["quota"] } as const;
    expect(buildAnswer(quota, undefined, "more")).toMatchObject({ problem: expect.stringContaining("max_cost_usd") });
    expect(buildAnswer(quota, undefined, "max_cost_usd 2")).toEqual({ answer: { quota: { max_cost_usd: 2 } } });
    expect(buildAnswer({ ...gate, options: ["input"] }, undefined, "")).toMatchObject({ problem: expect.any(String) });
  });
});

describe("variables", () => {
  it("are lines of a name and a value", () => {
    expect(readVariables("a=1\n b = x = y \n")).toEqual({ variables: { a: "1", b: "x = y" } });
    expect(readVariables("nothing")).toEqual({ problem: 'Write a variable as name=value; got "nothing".' });
  });
});

describe("a fork", () => {
  it("offers another reply where a model replied, and asks for it as the server wants it", () => {
    const event = { type: "model.completed", data: { text: "Yes" } } as Parameters<typeof listForkKinds>[0];
    expect(listForkKinds(event)[0]).toMatchObject({ kind: "reply", text: "Yes" });
    expect(buildFork("prompt", 3, { text: "Be brief", agent: "a" })).toEqual({ at: 3, prompts: { a: "Be brief" } });
    expect(buildFork("model", 3, { text: " x/y ", agent: "" })).toEqual({ at: 3, models: ["x/y"] });
  });
});
