import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AgentDefinition,
  ConfigurationError,
  type CrewDefinition,
  type CrewHandle,
  defineAgent,
  defineCrew,
  defineTool,
  type Model,
  type RunResult,
} from "../src/index.ts";

const model: Model = {
  name: "fake/one",
  call: ({ agent, system }) => ({
    text: agent === "triage" ? "over to you [FIX]" : `done: ${system}`,
    toolCalls: [],
    finish: "stop",
  }),
};
const models = { "fake/one": model };

const triage = defineAgent({ id: "triage", description: "reads", prompt: "Say [FIX].", maxTurns: 3 });
const fixer = defineAgent({ id: "fixer", description: "repairs", prompt: "Repair.", isTerminal: true, tools: ["saw"] });
const saw = defineTool({ name: "saw", description: "saws", execute: () => "sawn" });

describe("a crew without files", () => {
  it("runs like one with files", async () => {
    const crew = defineCrew(
      {
        name: "desk",
        models: ["fake/one"],
        agents: [triage, fixer],
        tools: [saw],
        routing: { signals: { triage: [{ signal: "[FIX]", target: "fixer" }] } },
        settings: { maxHandoffs: 3 },
      },
      { models },
    );
    expect(await crew.run("help")).toMatchObject({
      output: "done: Repair.",
      path: ["triage", "fixer"],
      stopReason: "terminal",
    });
    expect(crew.definition.settings.maxHandoffs).toBe(3);
  });

  it("is checked like one with files, and shows what is wrong", () => {
    const bad = () =>
      defineCrew({
        name: "desk",
        agents: [triage],
        // @ts-expect-error the compiler knows that there is no such agent
        routing: { signals: { triage: [{ signal: "[FIX]", target: "fixr" }] } },
      });
    expect(bad).toThrow(ConfigurationError);
    expect(bad).toThrow("signal '[FIX]' targets unknown agent 'fixr'");
  });

  it("says of a tool that nobody gave which agent wants it, and where it belongs", () => {
    const agent = { id: "clerk", description: "works", prompt: "Work.", tools: ["swa"] };
    const bad = () => defineCrew({ name: "desk", models: ["fake/one"], agents: [agent], tools: [saw] }, { models });
    expect(bad).toThrow(
      `the crew 'desk' has an error
  agent 'clerk' in code:6:5 unknown-tool: unknown tool 'swa': add it to the crew's 'tools', or write <server>__<tool> for a tool of an MCP server; did you mean 'saw'?`,
    );
  });

  it("falls through the list of its agents, as crews do", async () => {
    const crew = defineCrew({ name: "line", models: ["fake/one"], agents: [{ id: "a" }, { id: "b" }] }, { models });
    expect(await crew.run("go")).toMatchObject({ path: ["a", "b"], stopReason: "end_of_list" });
  });

  it("has a type with what each key means, in both spellings, as files have it", () => {
    expectTypeOf<AgentDefinition>().toHaveProperty("maxTurns").toEqualTypeOf<number | undefined>();
    expectTypeOf<AgentDefinition>().toHaveProperty("max_turns").toEqualTypeOf<number | undefined>();
    expectTypeOf<AgentDefinition>().toHaveProperty("llmTimeout").toEqualTypeOf<number | string | undefined>();
    expectTypeOf<CrewDefinition["settings"] & object>().toHaveProperty("stripSignals");
    for (const file of ["agent-keys", "crew-keys"]) {
      const lines = readFileSync(`src/library/${file}.ts`, "utf8").split("\n");
      const keys = lines.filter((line) => /^ .* readonly /.test(line));
      expect(keys.length).toBeGreaterThan(100);
      for (const key of keys) expect(key).toMatch(/^ {2}\/\*\* \S.{3,}\. (Default: `.*`\. )?\*\/ readonly /);
    }
  });

  it("is typed", () => {
    expectTypeOf<CrewHandle["run"]>().returns.resolves.toEqualTypeOf<RunResult>();
    // @ts-expect-error a limit is a number
    defineAgent({ id: "a", maxTurns: "three" });
    // @ts-expect-error there is no such key
    defineAgent({ id: "a", maxTruns: 3 });
  });
});
