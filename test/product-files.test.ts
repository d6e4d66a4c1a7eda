import { describe, expect, it } from "vitest";
import { loadDefinition } from "../src/definition/load-definition.ts";
import type { Diagnostic } from "../src/vocabulary/diagnostic.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A lone agent file with this frontmatter, and the agent that it is. */
function load(frontmatter: string, file = "reviewer.md", others: Readonly<Record<string, string>> = {}, options = {}) {
  const files = { [file]: `---\n${frontmatter}\n---\nReview.\n`, ...others };
  const { crew, diagnostics } = loadWrittenCrew(files, file, options);
  return { crew, agent: [...crew.agents.values()][0], diagnostics };
}

/** The diagnostics of a YAML file that may be no agent. */
function loadWrittenCrewFile(text: string) {
  const folder = writeCrew({ "some.yaml": text });
  return loadDefinition("some.yaml", { workingDirectory: folder, root: folder });
}

const codesOf = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);
const about = "name: reviewer\ndescription: reviews code";
const servers = JSON.stringify({ mcpServers: { hub: { command: "serve-hub" } } });

describe("an agent of Claude Code", () => {
  it("goes without tools that are not there, which are told once", () => {
    const { agent, diagnostics } = load(`${about}\ntools: Read, Bash(git add:*, git log:*), Task`);
    expect(agent?.tools).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "absent-tool", severity: "warning", line: 4 }]);
    expect(diagnostics[0]?.message).toContain("'Read', 'Bash(git add:*, git log:*)', 'Task'");
    expect(diagnostics[0]?.message).toContain("for 'Task', name the agents to call under 'agents'");
  });

  it("has tools that are there by the product's names, and those of servers", () => {
    const tools = "tools: Read, mcp__hub__search, mcp__hub";
    const { agent, diagnostics } = load(`${about}\n${tools}`, "a.md", { ".mcp.json": servers }, { tools: ["Read"] });
    expect(agent?.tools).toEqual(["Read", "hub__search", "hub__*"]);
    expect(diagnostics).toEqual([]);
  });

  it("has stubs for its tools where that is asked for", () => {
    const { crew, agent, diagnostics } = load(`${about}\ntools: Read`, "a.md", {}, { stubTools: true });
    expect(agent?.tools).toEqual(["Read"]);
    expect(crew.stubTools).toEqual(["Read"]);
    expect(codesOf(diagnostics)).toEqual(["stub-tool"]);
  });

  it.each([
    ["sonnet", "claude-sonnet-5"],
    ["opus", "claude-opus-5-5"],
    ["haiku", "claude-haiku-4-5"],
    ["sonnet[1m]", "claude-sonnet-5"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4-20250514"],
  ])("has a model of Anthropic for %s", (model, name) => {
    const { agent, diagnostics } = load(`${about}\nmodel: ${model}`);
    expect(agent?.models).toEqual([{ provider: "anthropic", model: name }]);
    expect(diagnostics).toEqual([]);
  });

  it("has the crew's model where it inherits one, and where its own says nothing here", () => {
    expect(load(`${about}\nmodel: inherit`)).toMatchObject({ agent: { models: [] }, diagnostics: [] });
    const { agent, diagnostics } = load(`${about}\ncolor: red\nmodel: kimi`);
    expect(agent?.models).toEqual([]);
    expect(diagnostics[1]).toMatchObject({ code: "read-as", message: expect.stringContaining("'kimi' is left out") });
  });

  it("has its name for an id, and keeps one that is for people", () => {
    expect(load(`${about}\ncolor: red`, "x.md").agent?.id).toBe("reviewer");
    const named = load("name: Code Reviewer\ndescription: reviews\ncolor: red", "x.md").agent;
    expect(named).toMatchObject({ id: "code-reviewer", name: "Code Reviewer" });
  });

  it("is told once of all keys without a counterpart, however many files have them", () => {
    const { diagnostics } = loadWrittenCrew(
      {
        "agents/a.md": "---\nname: a\ndescription: a\ncolor: red\nauthor: me\n---\nA.",
        "agents/b.md": "---\nname: b\ndescription: b\npermissionMode: plan\n---\nB.",
      },
      "agents",
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^these keys have no effect: 'color', 'author', 'permissionMode' \(.*\), in 2 files$/),
    ]);
  });

  it("is one of Baton's own in a crew that lists it", () => {
    const { crew, diagnostics } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [a]\n',
      "agents/a.md": "---\nname: Anna\ndescription: a\ncolor: red\ntools: Read\n---\nA.",
    });
    expect(crew.listed).toEqual(["a"]);
    expect(codesOf(diagnostics)).toEqual(["unknown-key", "wrong-type"]);
  });
});

describe("a text in frontmatter that YAML cannot read", () => {
  const talk = `name: reviewer
description: Use this one: it reviews. Example:
user: "Is this right?"
assistant: no\\nreally
tools: Read, Grep
model: sonnet`;

  it("is read as it stands, with a warning that says which text to quote", () => {
    const { agent, diagnostics } = load(talk);
    expect(agent).toMatchObject({ id: "reviewer", models: [{ model: "claude-sonnet-5" }] });
    expect(agent?.description).toBe(
      'Use this one: it reviews. Example:\nuser: "Is this right?"\nassistant: no\nreally',
    );
    expect(diagnostics).toMatchObject([
      { code: "read-as", line: 3, message: expect.stringContaining("quote the text of 'description'") },
      { code: "absent-tool", line: 6 },
    ]);
  });

  it("is an error in a file of Baton's own", () => {
    const { diagnostics } = loadWrittenCrew(
      { "a.md": "---\ndescription: one: two\nmax_turns: 3\n---\nA.", "b.md": "Work." },
      ".",
    );
    expect(codesOf(diagnostics)).toContain("yaml-syntax");
  });

  it("may be all that a bare file has", () => {
    const { agent, diagnostics } = load("name: reviewer\ndescription: Use when: always");
    expect(agent?.description).toBe("Use when: always");
    expect(codesOf(diagnostics)).toEqual(["read-as"]);
  });
});

describe("an agent of Copilot", () => {
  const file = "code-review.agent.md";

  it("has its file's name for an id, and its own for people", () => {
    expect(load("name: Code Review\ndescription: reviews", file).agent).toMatchObject({
      id: "code-review",
      name: "Code Review",
    });
  });

  it.each([
    ["GPT-5", [{ provider: "openai", model: "gpt-5" }]],
    ["Claude Sonnet 4.5 (copilot)", [{ provider: "anthropic", model: "claude-sonnet-4-5" }]],
    [
      "['Gemini 2.5 Pro', 'o3']",
      [
        { provider: "google", model: "gemini-2.5-pro" },
        { provider: "openai", model: "o3" },
      ],
    ],
    ["Auto", []],
  ])("has models by the names that people see: %s", (model, models) => {
    expect(load(`description: reviews\nmodel: ${model}`, file)).toMatchObject({ agent: { models }, diagnostics: [] });
  });

  it("calls agents by the names that people see", () => {
    const others = { "swe.agent.md": "---\nname: 'Senior Engineer'\ndescription: builds\n---\nBuild." };
    const { agent, diagnostics } = load("description: leads\nagents: ['Senior Engineer', '*']", file, others);
    expect(agent?.subAgents).toEqual(["swe"]);
    expect(diagnostics).toEqual([]);
  });

  it("hands over with a person's approval, unless the file says that it goes by itself", () => {
    const others = { "swe.agent.md": "---\nname: swe\ndescription: builds\n---\nBuild." };
    const handoffs = (send: string) =>
      load(`description: plans\nhandoffs: [{ label: Build, agent: swe, prompt: Build it, ${send} }]`, file, others);
    const { crew, agent, diagnostics } = handoffs("send: false");
    expect(agent?.collaborations).toMatchObject([{ agent: "swe", specialty: "Build it" }]);
    expect(crew.behaviors.get("code-review")?.autoRoute).toBe(false);
    expect(diagnostics).toEqual([]);
    expect(handoffs("send: true").crew.behaviors.get("code-review")?.autoRoute).toBe(true);
  });

  it("brings its servers, with their tools and their variables", () => {
    const brought = `description: reviews
argument-hint: what to review
mcp-servers:
  hub: { type: http, url: "https://hub.example", headers: { Authorization: "Bearer $HUB", X: "\${{ secrets.X }}" }, tools: [search, "read"] }
  own: { type: local, command: serve, args: [x], env: { A: "\${input:a-b}" } }`;
    const { crew, agent, diagnostics } = load(brought, file);
    expect(diagnostics).toEqual([]);
    expect(agent).toMatchObject({ usage: "what to review", tools: ["hub__search", "hub__read", "own__*"] });
    expect(crew.mcpServers.get("hub")).toMatchObject({ headers: { Authorization: "Bearer ${HUB}", X: "${X}" } });
    expect(crew.mcpServers.get("own")).toMatchObject({ type: "stdio", command: "serve", env: { A: "${a_b}" } });
  });

  it("names a server's tools with a slash", () => {
    const { agent, diagnostics } = load("description: r\ntools: ['hub/search', 'hub/*', 'edit/files']", file, {
      ".mcp.json": servers,
    });
    expect(agent?.tools).toEqual(["hub__search", "hub__*"]);
    expect(diagnostics[0]?.message).toContain("go without tools that are not there: 'edit/files'");
  });
});

describe("an agent of opencode", () => {
  it("has the tools that are on, and its steps as turns", () => {
    const { agent, diagnostics } = load(
      "description: reviews\nmode: subagent\nsteps: 6\ntools: { look: true, hub_search: true, write: false, '*': true }",
      "a.md",
      { ".mcp.json": servers },
      { tools: ["look"] },
    );
    expect(agent).toMatchObject({ id: "a", tools: ["look", "hub__search"], limits: { maxTurns: 6 } });
    expect(diagnostics).toEqual([]);
  });

  it("begins if it is the only primary one, and calls the subagents", () => {
    const { crew, diagnostics } = loadWrittenCrew(
      {
        ".opencode/agent/build.md": "---\ndescription: builds\nmode: primary\n---\nBuild.",
        ".opencode/agent/deep/find.md":
          "---\ndescription: finds\nmode: subagent\npermission: { edit: deny }\n---\nFind.",
        ".opencode/agent/AGENTS.md": "Be nice.",
      },
      ".opencode",
    );
    expect(crew.entryPoint).toEqual({ type: "agent", agent: "build" });
    expect(crew.agents.get("build")?.subAgents).toEqual(["find"]);
    expect(crew.listed).toEqual(["build", "find"]);
    expect(codesOf(diagnostics)).toEqual(["no-effect"]);
  });
});

describe("a product's folder of agents", () => {
  it.each([".claude/agents", ".claude"])("is run as it is: %s", (path) => {
    const cwd = writeCrew({
      "package.json": "{}",
      "replies.yaml": "reviewer: [Looks fine.]\nwriter: [Once upon a time.]\n",
      ".claude/agents/review/reviewer.md": "---\nname: reviewer\ndescription: reviews code\ntools: Read\n---\nReview.",
      ".claude/agents/writer.md": "---\nname: writer\ndescription: writes stories\nmodel: opus\n---\nWrite.",
      ".claude/agents/README.md": "About these.",
    });
    const { exitCode, stdout, stderr } = runBaton(["run", path, "Review my code", "--script", "replies.yaml"], { cwd });
    expect(stdout.trim()).toBe("Looks fine.");
    expect(stderr).toContain("agents of Claude Code go without tools that are not there: 'Read'");
    expect(exitCode).toBe(0);
  });
});

describe("a list in frontmatter that is indented by tabs, which YAML refuses", () => {
  it("is read as a list, each item in its place", () => {
    const { agent, diagnostics } = load(
      "name: a\ndescription: Does a\ntools:\n\t- Read\n\t- Bash\nmodel: sonnet",
      ".claude/agents/a.md",
    );
    expect(agent?.models).toMatchObject([{ provider: "anthropic" }]);
    expect(diagnostics).toMatchObject([{ code: "absent-tool", line: 5, column: 4 }]);
  });
});

describe("a file of a system that Baton does not read", () => {
  it("is refused by what it looks like, though it has keys that agents have", () => {
    const { diagnostics } = loadWrittenCrewFile(
      "agents:\n  root: { model: m, instruction: Help. }\nmodels:\n  m: { provider: openai, model: gpt-5 }\n",
    );
    expect(diagnostics).toMatchObject([
      { code: "foreign-file", message: expect.stringContaining("is a Docker Agent file") },
    ]);
  });
});

describe("`model: provider/model` alone", () => {
  it("is a model in a file of Baton's own", () => {
    const { agent, diagnostics } = load("model: openai/gpt-5");
    expect(agent?.models).toEqual([{ provider: "openai", model: "gpt-5" }]);
    expect(diagnostics).toEqual([]);
    expect(load("model: gpt-5").diagnostics).toMatchObject([
      { code: "bad-model", message: "'model' and 'provider' need each other; or write model: provider/model" },
    ]);
  });
});
