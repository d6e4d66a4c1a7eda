import { describe, expect, it } from "vitest";
import { parseModel } from "./parse-model.ts";

describe("a model's name", () => {
  it.each([
    ["openai/gpt-4o", "openai", "gpt-4o"],
    ["anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"],
    ["openai:gpt-4o", "openai", "gpt-4o"],
    ["ollama/llama3:8b", "ollama", "llama3:8b"],
    ["openrouter/meta-llama/llama-3", "openrouter", "meta-llama/llama-3"],
    ["script/replies.yaml", "script", "replies.yaml"],
    ["replay/run_1", "replay", "run_1"],
    ["My.Provider_2/x", "My.Provider_2", "x"],
  ])("%s is of a provider", (name, provider, model) => {
    expect(parseModel(name)).toEqual({ provider, model });
  });

  it.each([
    "",
    "gpt-4o",
    "openai/",
    "/gpt-4o",
    "openai",
    "open ai/gpt-4o",
    "openai/gpt 4o",
    " openai/gpt-4o",
    "4/5",
    "/",
  ])("%j has no provider or no model", (name) => expect(parseModel(name)).toBeUndefined());
});
