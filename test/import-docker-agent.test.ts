import { describe, expect, it } from "vitest";
import { importSources } from "../src/import/import-sources.ts";
import { writeCrew } from "./write-crew.ts";

function importFile(text: string, name = "team.yaml") {
  const { crews, problems } = importSources(name, { workingDirectory: writeCrew({ [name]: text }) });
  expect(problems).toEqual([]);
  const [crew] = crews;
  if (crew === undefined) throw new Error("nothing was imported");
  return { ...crew, textOf: (path: string) => crew.files.find((file) => file.path === path)?.text ?? "" };
}

const team = `#!/usr/bin/env docker agent run
models:
  big: { provider: anthropic, model: claude-opus-5-5, max_tokens: 9000, temperature: 0.2 }
agents:
  root:
    model: big
    description: Leads the desk
    instruction: |
      Lead the desk.
    add_date: true
    sub_agents: [finder]
    handoffs: [closer]
    fallback: { models: [openai/gpt-5], retries: 2 }
    structured_output: { name: verdict, schema: { type: object, properties: { ok: { type: boolean } } } }
    max_iterations: 12
    welcome_message: Hello
    toolsets:
      - type: think
      - type: filesystem
      - type: shell
      - { type: mcp, command: npx, args: [-y, "@acme/search-server"], tools: [query], env: { ACME_TOKEN: sk-live-0123456789abcdef0123 } }
      - { type: mcp, ref: "docker:brave" }
      - type: script
        shell:
          stock: { cmd: cat stock.txt, description: says what is in stock }
  finder:
    model: ollama/llama3.2
    instruction: Find things.
  closer:
    model: unknown words
    instruction: Close the case.
`;

describe("a file of Docker Agent", () => {
  it("becomes a crew that passes the check, in which root begins", () => {
    const crew = importFile(team);
    expect(crew.kind).toBe("docker-agent");
    expect(crew.diagnostics).toEqual([]);
    expect(crew.textOf("crew.yaml")).toContain("entry_point: root\n");
  });

  it("keeps calls, handoffs, models, fallbacks, output and limits", () => {
    const root = importFile(team).textOf("agents/root.md");
    expect(root).toContain("models:\n  - anthropic/claude-opus-5-5\n  - openai/gpt-5\n");
    expect(root).toContain("max_output_tokens: 9000\ntemperature: 0.2\nmax_retries: 2\n");
    expect(root).toContain("agents:\n  - finder\n");
    expect(root).toContain("collaborations:\n  - closer\n");
    expect(root).toContain("output:\n  format: json\n  schema:\n    type: object\n");
    expect(root).toContain("max_turns: 12\n");
    expect(root).toContain("Lead the desk.\n\nToday is {{DATE}}.");
  });

  it("declares MCP servers, and refers to a variable in place of a secret", () => {
    const crew = importFile(team);
    const file = crew.textOf("crew.yaml");
    expect(file).toContain("search-server:\n    command: npx\n");
    expect(file).toContain("ACME_TOKEN: ${ACME_TOKEN}\n");
    expect(file).not.toContain("sk-live");
    expect(file).toContain("--servers=brave");
    expect(crew.textOf("agents/root.md")).toContain("  - search-server__query\n  - brave__*\n  - stock\n");
    expect(crew.files.some(({ text }) => text.includes("sk-live"))).toBe(false);
  });

  it("runs no command: a script becomes a stub that says what it is for", () => {
    const crew = importFile(team);
    expect(crew.textOf("tools.ts")).toContain('description: "says what is in stock"');
    expect(crew.textOf("tools.ts")).not.toContain("cat stock.txt");
    expect(crew.report.decisions.map(({ what }) => what)).toContain(
      "the tool 'stock' of 'root' is a command: cat stock.txt",
    );
  });

  it("tells toolsets that are not there, models that nobody knows, and keys without effect", () => {
    const { report } = importFile(team);
    const decided = report.decisions.map(({ what, line }) => `${line}: ${what}`);
    expect(decided).toContain(
      "5: agents read files of the whole project, and write them when a person approves (`tools.files` in crew.yaml)",
    );
    expect(decided).toContain("20: 'root' goes without the toolset `shell`, which is part of Docker Agent");
    expect(decided).toContain("30: the model 'unknown words' of 'closer' is not known by that name");
    expect(report.idle.map(({ what }) => what)).toEqual(["welcome_message: Hello", "think: { type: think }"]);
  });

  it("describes agents that others call, by the first words of their prompts", () => {
    expect(importFile(team).textOf("agents/finder.md")).toContain("description: Find things.");
  });

  it("transfers where a call would lead back to its caller", () => {
    const crew = importFile(
      "agents:\n  root: { model: auto, description: r, instruction: Lead., sub_agents: [helper] }\n  helper: { model: auto, description: h, instruction: Help., sub_agents: [root] }\n",
    );
    expect(crew.diagnostics).toEqual([]);
    expect(crew.textOf("agents/helper.md")).toContain("collaborations:\n  - root\n");
  });

  it("gives a model its own address", () => {
    const crew = importFile(
      "providers: { local: { base_url: http://localhost:9999/v1 } }\nmodels: { m: { provider: local, model: tiny } }\nagents: { root: { model: m, instruction: Answer. } }\n",
    );
    expect(crew.textOf("agents/root.md")).toContain(
      "primary:\n  model: tiny\n  provider: local\n  provider_url: http://localhost:9999/v1\n",
    );
  });
});
