import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCrew, openMemoryStore } from "../src/index.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import type { Diagnostic } from "../src/vocabulary/diagnostic.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A lone agent `main.ai` with this frontmatter and prompt, among other files. */
function load(frontmatter: string, prompt = "Work.", others: Readonly<Record<string, string>> = {}, options = {}) {
  const files = { "main.ai": `#!/usr/bin/env ai-agent\n---\n${frontmatter}\n---\n${prompt}`, ...others };
  const { crew, diagnostics } = loadWrittenCrew(files, "main.ai", options);
  return { crew, agent: [...crew.agents.values()][0], diagnostics };
}

function errorsOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

const helper = { "one.ai": "---\ndescription: one\n---\nOne.", "two.ai": "---\ndescription: two\n---\nTwo." };
const servers = JSON.stringify({ mcpServers: { files: { command: "serve-files" }, web: { command: "serve-web" } } });

describe("an agent's file of ai-agent", () => {
  it("may have its lists as texts with commas", () => {
    const { agent, diagnostics } = load("models: openai/a, ollama/b\nagents: one.ai, two.ai\n", "Work.", helper);
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(agent?.models).toEqual([
      { provider: "openai", model: "a" },
      { provider: "ollama", model: "b" },
    ]);
    expect(agent?.subAgents).toEqual(["one", "two"]);
    expect(load("handoff: [one.ai]", "Work.", helper).agent?.handoff?.to).toBe("one");
    expect(
      load("router: { destinations: 'one.ai, two.ai' }", "Work.", helper).agent?.router?.destinations,
    ).toHaveLength(2);
  });

  it("says where in such a text an agent is that does not exist", () => {
    const { diagnostics } = load("agents: one.ai, three.ai", "Work.", helper);
    expect(diagnostics).toMatchObject([{ code: "not-found", line: 3, column: 17 }]);
  });

  it("has all tools of a server by its name, found in a .mcp.json beside it", () => {
    const { agent, diagnostics, crew } = load("tools: [files, web__search]", "Work.", { ".mcp.json": servers });
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(agent?.tools).toEqual(["files__*", "web__search"]);
    expect([...crew.mcpServers.keys()]).toEqual(["files", "web"]);
  });

  it("names all its servers that are not there in one error", () => {
    const named = { "one.ai": "---\ndescription: one\ntools: [web]\n---\nOne." };
    const { diagnostics } = load("tools: files\nagents: [one.ai]", "Work.", named);
    expect(errorsOf(diagnostics)).toEqual([expect.stringContaining("declared nowhere: 'files', 'web'; in ai-agent")]);
  });

  it("sends no temperature where that is none", () => {
    const { agent, diagnostics } = load("temperature: none\ntopP: off\nreasoning: unset");
    expect(diagnostics).toEqual([]);
    expect(agent?.sampling).toMatchObject({ temperature: undefined, topP: undefined, reasoning: undefined });
  });

  it("is called by its toolName, and cuts tool output at its toolResponseMaxBytes", () => {
    const { agent } = load("toolName: reader\ntoolResponseMaxBytes: 2000\nmaxToolTurns: 4");
    expect(agent).toMatchObject({ id: "reader", limits: { maxToolOutputChars: 2000, maxTurns: 4 } });
  });

  it("has schemas in files of their own, and as text", () => {
    const { agent } = load(
      `input: { format: JSON, schemaRef: in.yaml }\noutput: { format: json, schema: '{ "type": "object" }' }`,
      "Work.",
      { "in.yaml": "type: object\nproperties: { q: { type: string } }\n" },
    );
    expect(agent?.input.schema).toEqual({ type: "object", properties: { q: { type: "string" } } });
    expect(agent?.output).toEqual({ format: "json", schema: { type: "object" } });
    const { diagnostics } = load("input: { format: json, schemaRef: gone.json }");
    expect(errorsOf(diagnostics)).toEqual(["the schema 'gone.json' does not exist"]);
  });

  it("is told once of all keys without a counterpart, however many files have them", () => {
    const cached = { "one.ai": "---\ndescription: one\ncache: 1d\nrepeatPenalty: 1.1\n---\nOne." };
    const { diagnostics } = load("agents: [one.ai]\ncache: 2d\ncaching: full\nplugins: [x]", "Work.", cached);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.message).toBe(
      "these keys have no effect: 'cache', 'caching', 'plugins', 'repeatPenalty' (ai-agent's, without a counterpart here), in 2 files",
    );
  });

  it("still says where a key is nearly one that has a meaning", () => {
    expect(load("descripton: x").diagnostics[0]?.message).toBe("unknown key 'descripton'; did you mean 'description'?");
  });
});

describe("what a prompt of ai-agent includes", () => {
  it("stands in its place, without its frontmatter, and may include more", () => {
    const others = {
      "parts/tone.md": '---\ndescription: tone\n---\nBe brief. {% include "words.md" %}',
      "parts/words.md": "Plain words.",
      "old.md": "As before.",
    };
    const { agent, diagnostics } = load("", "A {%- render 'parts/tone.md', x: 1 -%} ${include:old.md} Z", others);
    expect(diagnostics).toEqual([]);
    expect(agent?.prompt).toBe("A Be brief. Plain words. As before. Z");
  });

  it("is looked for beside the file that includes it, and then in the project root", () => {
    const others = { "parts/tone.md": "{% render 'shared/words.md' %}", "shared/words.md": "Plain words." };
    expect(load("", "{% render 'parts/tone.md' %}", others).agent?.prompt).toBe("Plain words.");
  });

  it.each([
    ["is not there", "{% render 'gone.md' %}", "not-found", "'gone.md', which is included here, does not exist"],
    ["is outside of the project", "{% render '../x.md' %}", "outside-root", "is outside the project root"],
    ["may hold secrets", "{% render '.env' %}", "unreadable", "may hold secrets"],
    ["includes itself", "{% render 'a.md' %}", "reference-cycle", "includes itself: a.md -> b.md -> a.md"],
    ["includes too deep", "{% render 'd1.md' %}", "too-large", "more than 10 levels deep"],
  ])("is an error where it %s", (_, prompt, code, message) => {
    const deep = Array.from({ length: 12 }, (_, n) => [`d${n + 1}.md`, `{% render 'd${n + 2}.md' %}`]);
    const others = { "a.md": "{% render 'b.md' %}", "b.md": "{% render 'a.md' %}", ".env": "KEY=1" };
    const { diagnostics } = load("", prompt, { ...others, ...Object.fromEntries(deep) });
    expect(diagnostics).toMatchObject([{ code, message: expect.stringContaining(message) }]);
  });

  it("does not leave the project by a link", () => {
    const folder = writeCrew({
      "desk/package.json": "{}",
      "desk/main.ai": "{% render 'x.md' %}",
      "secret.md": "secret",
    });
    symlinkSync(join(folder, "secret.md"), join(folder, "desk", "x.md"));
    expect(runBaton(["check", "desk/main.ai"], { cwd: folder }).stdout).toContain("outside-root");
  });

  it("cannot grow without a bound", () => {
    const bomb = Array.from({ length: 10 }, (_, n) => [`b${n}.md`, `{% render 'b${n + 1}.md' %}`.repeat(40)]);
    const { diagnostics } = load("", "{% render 'b0.md' %}", {
      ...Object.fromEntries(bomb),
      "b10.md": "x".repeat(9000),
    });
    expect(diagnostics.map(({ code }) => code)).toContain("too-large");
  });

  it("is mere text in a file of Baton's own", () => {
    const { crew } = loadWrittenCrew({ "a.md": "{% render 'gone.md' %} ${FORMAT}" }, "a.md");
    expect(crew.agents.get("a")?.prompt).toBe("{% render 'gone.md' %} ${FORMAT}");
  });
});

describe("${NAME} in a file of ai-agent", () => {
  it("is what the agent's keys say, and otherwise stays", () => {
    const { agent } = load("output: json\nmaxTurns: 7", "${FORMAT} ${MAX_TURNS} ${HOME} ${i}");
    expect(agent?.prompt).toBe("markdown 7 ${HOME} ${i}");
    expect(load("output: { format: json }", "As ${FORMAT}.").agent?.prompt).toBe("As json.");
  });

  it("is a variable of the environment where the project lists it", () => {
    const others = { "baton.yaml": "prompt_variables: [TEAM, MODEL_NAME, API_KEY]\n" };
    const environment = { TEAM: "blue", MODEL_NAME: "m", API_KEY: "sk-1", OTHER: "x" };
    const prompt = "${TEAM} ${OTHER} ${API_KEY}";
    const { agent, diagnostics } = load("models: ['ollama/${MODEL_NAME}']", prompt, others, { environment });
    expect(agent).toMatchObject({ prompt: "blue ${OTHER} ${API_KEY}", models: [{ provider: "ollama", model: "m" }] });
    expect(diagnostics).toMatchObject([{ code: "bad-secret-name", file: "baton.yaml" }]);
  });

  it("says what a model's name needs", () => {
    expect(errorsOf(load("models: ['ollama/${MODEL_NAME} x']").diagnostics)).toEqual([
      "the model 'ollama/${MODEL_NAME} x' needs 'MODEL_NAME': set it, and list it under prompt_variables in baton.yaml",
    ]);
  });

  it("is the time at which a run begins, which a later replay keeps", async () => {
    const folder = writeCrew({
      "package.json": "{}",
      "main.ai": "---\nmodels: [script/r.yaml]\ndescription: waits\n---\nIt is ${DATETIME}, a ${DAY}.",
      "r.yaml": "main: [Done.]\n",
    });
    let now = Date.UTC(2026, 0, 5, 12);
    const store = openMemoryStore();
    const clock = { ...createVirtualClock(), now: () => now };
    const run = await (await loadCrew(join(folder, "main.ai"), { root: folder, store, clock })).run("Go");
    const begun = (await store.read(run.runId))[0];
    expect(begun?.data).toMatchObject({ variables: { DATETIME: "2026-01-05T12:00:00.000Z", DAY: "Monday" } });
    now += 86_400_000;
    const later = await loadCrew(join(folder, "main.ai"), { root: folder, store, clock });
    expect((await later.replay(run.runId)).divergence).toBeUndefined();
  });
});
