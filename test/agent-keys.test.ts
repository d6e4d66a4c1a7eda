import { describe, expect, it } from "vitest";
import { defineTool, loadCrew, type Model } from "../src/index.ts";
import type { Agent } from "../src/vocabulary/crew.ts";
import type { Quota } from "../src/vocabulary/quota.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { writeCrew } from "./write-crew.ts";

/** The agent `a` of a crew, with this frontmatter; `b`, `c` and the sub-crew `sub` are there to be referred to. */
function load(frontmatter: string, crewKeys = "") {
  const { crew, diagnostics } = loadWrittenCrew(
    {
      "crew.yaml": `version: "2.0"\nname: test\nagents: [a, b, c]\nsub_crews: {sub: {config_path: ./sub}}\n${crewKeys}`,
      "agents/a.md": `---\n${frontmatter}\n---\nDo your work.\n`,
      "agents/b.md": "---\ndescription: helps\n---\nWork.",
      "agents/c.md": "---\ndescription: checks\n---\nWork.",
      "sub/crew.yaml": 'version: "2.0"\nname: sub\nagents: [x]\n',
      "sub/agents/x.md": "Work.",
    },
    ".",
    { tools: ["lookup"] },
  );
  const agent = crew.agents.get("a");
  if (agent === undefined) throw new Error("the agent was not loaded");
  return { agent, errors: diagnostics.filter(({ severity }) => severity === "error") };
}

const { agent: plain } = load("");
const neighbour = { specialty: undefined, when: undefined, priority: undefined, cost: undefined };

describe("a key of an agent", () => {
  it.each<[key: keyof Agent, byDefault: unknown, written: string, value: unknown]>([
    ["name", undefined, "name: Ada", "Ada"],
    ["role", undefined, "role: critic", "critic"],
    ["backstory", undefined, "backstory: long ago", "long ago"],
    ["description", undefined, "description: does it", "does it"],
    ["usage", undefined, "usage: call me", "call me"],
    ["tools", [], "tools: [lookup]", ["lookup"]],
    ["subAgents", [], "agents: [b, c]", ["b", "c"]],
    ["advisors", [], "advisors: [c, b]", ["c", "b"]],
    ["chat", false, "chat: true", true],
    ["handoffTargets", [], "handoff_targets: [b]", ["b"]],
    ["isTerminal", false, "is_terminal: true", true],
    ["domain", undefined, "domain: law", "law"],
    ["domain", undefined, "specialties: [tax, trade]", "tax"],
    ["specialties", [], "specialties: [tax, trade]", ["tax", "trade"]],
    ["parallelHandoffs", false, "parallel_handoffs: true", true],
    ["delegate", [], "delegate: [sub]", ["sub"]],
    ["compose", false, "compose: true", true],
    ["promptStyle", "markdown", "prompt_style: tagged", "tagged"],
    ["input", { format: "text", schema: undefined }, "input: markdown", { format: "markdown", schema: undefined }],
    [
      "output",
      { format: "text", schema: undefined },
      "output: {format: json, schema: {type: object}}",
      { format: "json", schema: { type: "object" } },
    ],
    ["collaborations", [], "collaborations: [b]", [{ ...neighbour, agent: "b" }]],
    [
      "collaborations",
      [],
      "collaborations: [{agent: b, specialty: law, when: {contains: x, cost_over: 1}, priority: 2, cost: prefer_cheaper}]",
      [{ agent: "b", specialty: "law", when: { contains: "x", costOver: 1 }, priority: 2, cost: "prefer_cheaper" }],
    ],
    ["router", undefined, "router: {destinations: [b]}", { destinations: [{ ...neighbour, agent: "b" }] }],
    ["handoff", undefined, "handoff: b", { to: "b", include: [], onFailure: "stop", when: undefined }],
    [
      "handoff",
      undefined,
      "handoff: {to: b, include: [response, original_request], on_failure: continue, when: {turns_over: 2}}",
      { to: "b", include: ["response", "original_request"], onFailure: "continue", when: { turnsOver: 2 } },
    ],
    [
      "team",
      undefined,
      "team: {members: [b], supervisor: c, memberMaxTurns: 4, supervisorMaxTurns: 5}",
      { members: ["b"], supervisor: "c", memberMaxTurns: 4, supervisorMaxTurns: 5 },
    ],
  ])("%s is %j by default, and what the file says with %s", (key, byDefault, written, value) => {
    expect(plain[key]).toEqual(byDefault);
    expect(load(written).agent[key]).toEqual(value);
  });

  it("id is the file's name by default, and what the file says", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [first, second, third]\n',
      "agents/first.md": "Work.",
      "agents/2.md": "---\nid: second\n---\nWork.",
      "agents/3.yaml": "id: third\nsystem_prompt: Work.\n",
    });
    expect([...crew.agents.values()].map(({ id }) => id)).toEqual(["first", "second", "third"]);
  });

  it.each([
    "maxTurns: 4\ntopP: 0.5\nisTerminal: true\nllmTimeout: 2s\npromptStyle: tagged",
    "max_turns: 4\ntop_p: 0.5\nis_terminal: true\nllm_timeout: 2s\nprompt_style: tagged",
  ])("may be spelled either way: %j", (frontmatter) => {
    const { agent, errors } = load(frontmatter);
    expect(errors).toEqual([]);
    expect(agent).toMatchObject({
      limits: { maxTurns: 4, llmTimeoutMs: 2000 },
      sampling: { topP: 0.5 },
      isTerminal: true,
      promptStyle: "tagged",
    });
  });

  it("may be overruled for is_terminal by the crew", () => {
    const behaviors = (value: string) => `routing: {agent_behaviors: {a: {is_terminal: ${value}}}}`;
    expect(load("", behaviors("true")).agent.isTerminal).toBe(true);
    expect(load("is_terminal: true", behaviors("false")).agent.isTerminal).toBe(false);
  });
});

describe("the sampling of an agent", () => {
  it("is not sent by default", () => {
    expect(Object.values(plain.sampling).every((value) => value === undefined)).toBe(true);
  });

  it.each<[keyof Agent["sampling"], string, unknown]>([
    ["temperature", "temperature: 0.7", 0.7],
    ["temperature", "temperature: 0", 0],
    ["topP", "top_p: 0", 0],
    ["topK", "top_k: 40", 40],
    ["maxOutputTokens", "max_output_tokens: 256", 256],
    ["reasoning", "reasoning: high", "high"],
  ])("has its %s from %s", (key, written, value) => expect(load(written).agent.sampling[key]).toBe(value));
});

describe("an agent's own limit of tool output", () => {
  it("comes before the crew's", async () => {
    const seen: Record<string, string> = {};
    const model: Model = {
      name: "test/m",
      call: ({ agent, calls, messages }) => {
        const told = messages().flatMap((each) => (each.role === "tool" && each.agent === agent ? each.text : []));
        if (told.length > 0) seen[agent] = told.join();
        return calls === 1
          ? { text: "", toolCalls: [{ name: "read", args: {} }], finish: "tool-calls" }
          : { text: "Read.", toolCalls: [], finish: "stop" };
      },
    };
    const folder = writeCrew({
      "crew.yaml": `version: "2.0"\nname: t\nagents: [a, b]\nmodels: [test/m]\nsettings: { max_tool_output_chars: 8 }\n`,
      "agents/a.md": "---\ntools: [read]\nmax_tool_output_chars: 4\n---\nRead.",
      "agents/b.md": "---\ntools: [read]\n---\nRead.",
    });
    const read = defineTool({ name: "read", description: "reads", execute: () => "123456789" });
    const crew = await loadCrew(folder, { tools: [read], models: { "test/m": model } });
    expect((await crew.run("Go")).status).toBe("completed");
    expect(seen).toEqual({ a: expect.stringMatching(/^12\n.*89$/s), b: expect.stringMatching(/^1234\n.*6789$/s) });
  });
});

describe("the limits of an agent", () => {
  it.each<[keyof Agent["limits"], number, string, number]>([
    ["maxTurns", 10, "max_turns: 3", 3],
    ["maxToolCallsPerTurn", 10, "max_tool_calls_per_turn: 2", 2],
    ["maxRetries", 3, "max_retries: 0", 0],
    ["llmTimeoutMs", 600_000, "llm_timeout: 30s", 30_000],
    ["toolTimeoutMs", 300_000, "tool_timeout: 1500", 1500],
    ["advisorTimeoutMs", 600_000, "advisor_timeout: 2m", 120_000],
    ["advisorTimeoutMs", 600_000, "llm_timeout: 30s", 30_000],
  ])("%s is %i by default, and what the file says with %s", (key, byDefault, written, value) => {
    expect(plain.limits[key]).toBe(byDefault);
    expect(load(written).agent.limits[key]).toBe(value);
  });
});

describe("the models of an agent", () => {
  const crewModels = "models: [anthropic/claude-sonnet-4-5]";
  const crewModel = { provider: "anthropic", model: "claude-sonnet-4-5" };

  it("are the crew's by default", () => {
    expect(plain.models).toEqual([]);
    expect(load("", crewModels).agent.models).toEqual([crewModel]);
  });

  it.each([
    [
      "models: [openai/gpt-4o, ollama/llama3:8b]",
      [
        { provider: "openai", model: "gpt-4o" },
        { provider: "ollama", model: "llama3:8b" },
      ],
    ],
    [
      "primary: {model: gpt-4o, provider: openai}\nbackup: {model: llama3, provider: ollama, provider_url: 'http://localhost:11434'}",
      [
        { provider: "openai", model: "gpt-4o" },
        { provider: "ollama", model: "llama3", url: "http://localhost:11434" },
      ],
    ],
    ["model: gpt-4o\nprovider: openai", [{ provider: "openai", model: "gpt-4o" }]],
  ])("are what the file says with %j", (written, models) => {
    const { agent, errors } = load(written, crewModels);
    expect(agent.models).toEqual(models);
    expect(errors).toEqual([]);
  });
});

describe("the quotas and prices of an agent", () => {
  it("are none by default", () => {
    expect(plain.quotas).toEqual([]);
    expect(plain.prices).toBeUndefined();
  });

  it.each<[written: string, quota: Partial<Quota>]>([
    ["quotas: {max_tokens: 5}", { per: "run", maxTokens: 5, alertThreshold: 0.8, onExceed: "stop" }],
    ["cost_limits: {max_tokens_per_call: 5}", { per: "run", maxTokensPerCall: 5 }],
    ["cost_limits: {max_tokens_per_day: 5}", { per: "day", maxTokens: 5, onExceed: "warn" }],
    ["cost_limits: {max_cost_per_day_usd: 2}", { per: "day", maxCostUsd: 2, alertThreshold: 0.8 }],
    ["costLimits: {maxCostPerDayUsd: 2, alertThreshold: 0.5}", { per: "day", maxCostUsd: 2, alertThreshold: 0.5 }],
    ["cost_limits: {max_cost_per_day_usd: 2, block_on_cost_exceed: false}", { maxCostUsd: 2, onExceed: "warn" }],
    ["cost_limits: {max_cost_per_day_usd: 2, block_on_cost_exceed: true}", { maxCostUsd: 2, onExceed: "stop" }],
  ])("are set by %s", (written, quota) => {
    const { quotas } = load(written).agent;
    expect(quotas).toHaveLength(1);
    expect(quotas[0]).toMatchObject(quota);
  });

  it("have prices from cost_limits, without becoming a quota", () => {
    const { agent } = load("cost_limits: {input_token_price_per_million: 0.15, output_token_price_per_million: 0}");
    expect(agent.prices).toEqual({ inputPerMillionUsd: 0.15, outputPerMillionUsd: 0 });
    expect(agent.quotas).toEqual([]);
  });
});

describe("the prompt of an agent", () => {
  it("is the text behind the frontmatter", () => expect(plain.prompt).toBe("Do your work."));

  it("is the system_prompt of a YAML file, its names filled in", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [y]\n',
      "agents/y.yaml":
        "name: Ada\nrole: critic\nbackstory: Old.\ndescription: Judges.\nsystem_prompt: '{{name}}, {{ role }}: {{description}} {{backstory}} {{other}}'\n",
    });
    expect(crew.agents.get("y")?.prompt).toBe("Ada, critic: Judges. Old. {{other}}");
  });

  it("names collaborators in its body, which stand behind those of the frontmatter", () => {
    const { crew, diagnostics } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [a, data_analyst_agent, b]\n',
      "agents/a.md": "---\ncollaborations: [b]\n---\nHi.\n\n**Collaborations**: Data Analyst (figures), B\n",
      "agents/data_analyst_agent.md": "Count.",
      "agents/b.md": "---\ndescription: helps\n---\nWork.",
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(crew.agents.get("a")?.collaborations).toEqual([
      { ...neighbour, agent: "b" },
      { ...neighbour, agent: "data_analyst_agent", specialty: "figures" },
    ]);
  });
});
