import { describe, expect, it } from "vitest";
import type { Behavior, Binding, Crew, Group } from "../src/vocabulary/crew.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";

/** A crew of the agents a, b, c and the sub-crews alpha and beta, with more of crew.yaml. */
function load(more: string): Crew {
  const sub = 'version: "2.0"\nname: sub\nagents: [x]\n';
  const { crew, diagnostics } = loadWrittenCrew({
    "crew.yaml": `version: "2.0"
name: test
agents: [a, b, c]
sub_crews: {alpha: {config_path: ./alpha}, beta: {config_path: ./beta}}
${more}
`,
    ...Object.fromEntries(["a", "b", "c"].map((id) => [`agents/${id}.md`, "Work."])),
    ...Object.fromEntries(["alpha", "beta"].map((name) => [`${name}/crew.yaml`, sub])),
    ...Object.fromEntries(["alpha", "beta"].map((name) => [`${name}/agents/x.md`, "Work."])),
    "tools.ts": "",
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return crew;
}

/** The binding of agent a that is written so. */
function bindingOf(written: string, signals = "[]"): Binding | undefined {
  const routing = `routing: {signals: {a: [{${written}}]}, parallel_groups: {g: {agents: [b], next_agent: c}}}`;
  return load(`signals: ${signals}\n${routing}`).bindings.get("a")?.[0];
}

const call = {
  type: "sub_crew",
  crews: ["alpha"],
  returnTo: "a",
  inputTemplate: undefined,
  timeoutMs: 120_000,
  history: "summary",
  onError: [],
  maxRetries: 3,
  fallbackCrew: undefined,
};

describe("what a binding does", () => {
  it.each<[written: string, move: unknown]>([
    [`signal: "[X]", target: b`, { type: "route", target: "b" }],
    [`signal: "[END]", target: b`, { type: "route", target: "b" }],
    [`signal: "[OK]", target: b`, { type: "route", target: "b" }],
    [`signal: "[NEXT]"`, { type: "route", target: "b" }],
    [`signal: "[X]", target: g`, { type: "parallel", group: "g" }],
    [`signal: "[X]", target: ""`, { type: "terminate" }],
    [`signal: "[X]"`, { type: "terminate" }],
    [`signal: "[END]", target: ""`, { type: "terminate" }],
    [`signal: "[WAIT]", target: ""`, { type: "pause" }],
    [`signal: "[X]", type: pause`, { type: "pause" }],
    [`signal: "[OK]"`, { type: "status" }],
    [`signal: "[X]", type: status, target: b`, { type: "route", target: "b" }],
    [`signal: "[X]", type: status, target: g`, { type: "parallel", group: "g" }],
    [`signal: "[X]", type: broadcast, target: b`, { type: "broadcast", targets: ["b"] }],
    [`signal: "[X]", type: broadcast`, { type: "broadcast", targets: ["a", "b", "c"] }],
    [`signal: "[X]", type: broadcast, targets: [b]`, { type: "broadcast", targets: ["b"] }],
    [`signal: "[X]", type: external`, { type: "external", pause: false }],
    [`signal: "[X]", type: external, pause: true`, { type: "external", pause: true }],
    [`signal: "[X]", target_crew: alpha`, call],
    [`signal: "[X]", targetCrews: [alpha, beta]`, { ...call, crews: ["alpha", "beta"] }],
    [`signal: "[X]", target_crew: alpha, return_to: b`, { ...call, returnTo: "b" }],
    [`signal: "[X]", target_crew: alpha, input_template: "{{.Input}}"`, { ...call, inputTemplate: "{{.Input}}" }],
    [`signal: "[X]", target_crew: alpha, timeout_seconds: 0.5`, { ...call, timeoutMs: 500 }],
    [`signal: "[X]", target_crew: alpha, history: full`, { ...call, history: "full" }],
    [
      `signal: "[X]", target_crew: alpha, on_error: retry, max_retries: 1`,
      { ...call, onError: ["retry"], maxRetries: 1 },
    ],
    [
      `signal: "[X]", target_crew: alpha, on_error: fallback, fallback_crew: beta`,
      { ...call, onError: ["fallback"], fallbackCrew: "beta" },
    ],
    [`signal: "[X]", target_crew: alpha, on_error: [retry, continue]`, { ...call, onError: ["retry", "continue"] }],
    [`signal: "[X]", target_crew: alpha, on_error: [retry, propagate]`, { ...call, onError: ["retry"] }],
  ])("is told by {%s}", (written, move) => expect(bindingOf(written)?.move).toEqual(move));

  it("is to end the run where the last of the list says [NEXT]", () => {
    const crew = load(`routing: {signals: {c: [{signal: "[NEXT]"}]}}`);
    expect(crew.bindings.get("c")?.[0]?.move).toEqual({ type: "terminate" });
  });

  it.each<[written: string, priority: number]>([
    [`signal: "[X]", target: b`, 50],
    [`signal: "[X]"`, 100],
    [`signal: "[X]", type: pause`, 80],
    [`signal: "[X]", type: external`, 50],
    [`signal: "[STOP]"`, 110],
    [`signal: "[END]", target: b`, 100],
    [`signal: "[OK]"`, 30],
    [`signal: "[OK]", priority: 99`, 99],
    [`signal: "[X]", target: b, priority: -1`, -1],
  ])("has its priority: {%s} %i", (written, priority) => expect(bindingOf(written)?.priority).toBe(priority));

  it("has the description of the binding, or else the signal's", () => {
    const signals = `[{name: "[X]", description: by definition}]`;
    expect(bindingOf(`signal: "[X]", target: b`, signals)?.description).toBe("by definition");
    expect(bindingOf(`signal: "[X]", target: b, description: by binding`, signals)?.description).toBe("by binding");
  });
});

describe("the priority of a signal that has none", () => {
  it.each([
    [`signal: "[X]", target: ""`, 100],
    [`signal: "[X]", type: pause`, 80],
    [`signal: "[X]", type: external, pause: true`, 80],
    [`signal: "[X]", type: external`, 50],
    [`signal: "[X]", target: b`, 50],
  ])("follows from what it does: %s", (written, priority) => {
    expect(bindingOf(written)?.priority).toBe(priority);
  });
});

describe("a definition of a signal", () => {
  it.each([
    `[{name: "[X]", behavior: pause, description: waits, allowed_agents: [a], deprecated: "use [Y]"}]`,
    `{"[X]": {behavior: pause, description: waits, allowedAgents: [a], deprecated: "use [Y]"}}`,
  ])("may stand in a list or in a map by name: %s", (signals) => {
    expect(load(`signals: ${signals}`).signals.find(({ name }) => name === "[X]")).toEqual({
      name: "[X]",
      behavior: "pause",
      description: "waits",
      allowedAgents: ["a"],
      priority: 80,
      deprecated: "use [Y]",
    });
  });

  it("takes the place of the built-in one", () => {
    expect(bindingOf(`signal: "[END]"`, `[{name: "[END]", behavior: pause, priority: 5}]`)).toMatchObject({
      priority: 5,
      move: { type: "pause" },
    });
  });

  it("with a default target is bound for every agent that may emit it", () => {
    const crew = load(`signals: [{name: "[UP]", default_target: c, allowed_agents: [a, b]}]`);
    expect([...crew.bindings.keys()]).toEqual(["a", "b"]);
    expect(crew.bindings.get("b")).toMatchObject([{ signal: "[UP]", move: { type: "route", target: "c" } }]);
  });

  it("is made by a binding where there is none", () => {
    const crew = load(`routing: {signals: {a: [{signal: "[MINE]", target: b}]}}`);
    expect(crew.signals.find(({ name }) => name === "[MINE]")).toMatchObject({ behavior: "route", priority: 50 });
  });
});

describe("a group", () => {
  const groupOf = (keys: string) => load(`routing: {parallel_groups: {g: {${keys}}}}`).groups.get("g");

  it.each<[key: keyof Group, byDefault: unknown, written: string, value: unknown]>([
    ["agents", ["b"], "agents: [c, b]", ["c", "b"]],
    ["crews", [], "agents: [b], crews: [alpha]", ["alpha"]],
    ["waitForAll", false, "agents: [b], wait_for_all: true", true],
    ["minSuccess", undefined, "agents: [b, c], min_success: 2", 2],
    ["timeoutMs", 60_000, "agents: [b], timeout_seconds: 2.5", 2500],
    ["nextAgent", undefined, "agents: [b], nextAgent: c", "c"],
    ["description", undefined, "agents: [b], description: asks", "asks"],
  ])("has its %s, %j by default, from {%s}", (key, byDefault, written, value) => {
    expect(groupOf("agents: [b]")?.[key]).toEqual(byDefault);
    expect(groupOf(written)?.[key]).toEqual(value);
  });
});

describe("the behaviour of an agent", () => {
  it.each<[key: keyof Behavior, byDefault: boolean, written: string]>([
    ["waitForSignal", false, "wait_for_signal: true"],
    ["autoRoute", true, "auto_route: false"],
  ])("has its %s, %j by default, from {%s}", (key, byDefault, written) => {
    expect(load("").behaviors.get("a")?.[key]).toBe(byDefault);
    expect(load(`routing: {agent_behaviors: {a: {${written}}}}`).behaviors.get("a")?.[key]).toBe(!byDefault);
  });
});

describe("whether an agent is terminal", () => {
  it("is said by the crew before it is said by the agent", () => {
    const isTerminal = (more: string) => load(more).agents.get("a")?.isTerminal;
    expect(isTerminal("")).toBe(false);
    expect(isTerminal("routing: {agent_behaviors: {a: {isTerminal: true}}}")).toBe(true);
  });
});

describe("the rest of crew.yaml", () => {
  it("says where the run begins: the first of the agents, one of them, or by classification", () => {
    expect(load("").entryPoint).toEqual({ type: "agent", agent: "a" });
    expect(load("entry_point: b").entryPoint).toEqual({ type: "agent", agent: "b" });
    expect(load("entryPoint: auto").entryPoint).toEqual({ type: "auto" });
  });

  it("says where an answer without a signal goes", () => {
    const crew = load("routing: {defaults: {a: c, b: g}, parallel_groups: {g: {agents: [c], next_agent: c}}}");
    expect([...crew.defaults]).toEqual(Object.entries({ a: "c", b: "g" }));
  });

  it("declares tools, whose export has the tool's name unless another is given", () => {
    const { tools } = load("tools: {lookup: ./tools.ts, find: ./tools.ts#search}");
    expect(tools.get("lookup")).toMatchObject({ exportName: "lookup", file: expect.stringMatching(/\/tools\.ts$/) });
    expect(tools.get("find")).toMatchObject({ exportName: "search" });
  });

  it("declares MCP servers, by command or address", () => {
    const { mcpServers } = load(`mcpServers:
  files: {command: npx, args: [-y, server], env: {LEVEL: 3}, cwd: .}
  web: {type: http, url: "https://x.y/mcp", headers: {Accept: json}}`);
    expect(mcpServers.get("files")).toMatchObject({ command: "npx", args: ["-y", "server"], env: { LEVEL: "3" } });
    expect(mcpServers.get("web")).toMatchObject({ url: "https://x.y/mcp", headers: { Accept: "json" } });
  });

  it("gives sub-crews a description, grants and quotas", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": `version: "2.0"
name: test
description: a test
agents: [a]
sub_crews:
  s: {config_path: ./s, description: knows, shared_memory: {keys: {topic: read, notes: write}}, quotas: {max_tokens: 9}}
`,
      "agents/a.md": "Work.",
      "s/crew.yaml": 'version: "1.0"\nagents: [x]\n',
      "s/agents/x.md": "Work.",
    });
    expect(crew.description).toBe("a test");
    expect(crew.subCrews.get("s")).toMatchObject({ description: "knows", quotas: [{ maxTokens: 9, per: "run" }] });
    expect([...(crew.subCrews.get("s")?.sharedMemory ?? [])]).toEqual(
      Object.entries({ topic: "read", notes: "write" }),
    );
  });
});
