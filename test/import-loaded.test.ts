import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCrew } from "../src/definition/check-crew.ts";
import { importSources } from "../src/import/import-sources.ts";
import { placeCrew } from "../src/import/place-crew.ts";
import { writeCrew } from "./write-crew.ts";

function importFiles(files: Readonly<Record<string, string>>, path = ".") {
  const folder = writeCrew(files);
  const { crews, problems } = importSources(path, { workingDirectory: folder, to: "out" });
  const [crew] = crews;
  if (crew === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
  placeCrew(crew);
  const checked = checkCrew(crew.folder, { workingDirectory: folder, root: join(folder, "out") });
  const decided = crew.report.decisions.map(({ what }) => what);
  const textOf = (name: string) => crew.files.find((file) => file.path === name)?.text ?? "";
  return { ...crew, problems, crew: checked.crew, decided, textOf };
}

describe("agents of Claude Code", () => {
  const agent = (name: string, keys = "") =>
    `---\nname: ${name}\ndescription: Does ${name}: and more\n${keys}---\nYou do ${name}.\n`;

  it("are a crew in which the agent that fits begins", () => {
    const { crew, kind, textOf } = importFiles(
      {
        ".claude/agents/one.md": agent("one", "model: sonnet\ncolor: red\n"),
        ".claude/agents/sub/two.md": agent("two"),
      },
      ".claude",
    );
    expect(kind).toBe("claude");
    expect(crew?.entryPoint).toEqual({ type: "auto" });
    expect([...(crew?.agents.keys() ?? [])]).toEqual(["one", "two"]);
    expect(textOf("agents/one.md")).toContain(
      'description: "Does one: and more"\nmodels:\n  - anthropic/claude-sonnet-5\n',
    );
  });

  it("with the tool Task call those that have none, so that no two call each other", () => {
    const { crew } = importFiles({
      ".claude/agents/lead.md": agent("lead", "tools: Task, Read\n"),
      ".claude/agents/other.md": agent("other", "tools: Task(helper)\n"),
      ".claude/agents/helper.md": agent("helper"),
    });
    expect(crew?.agents.get("lead")?.subAgents).toEqual(["helper"]);
    expect(crew?.agents.get("other")?.subAgents).toEqual(["helper"]);
  });

  it("have Baton's own tools for files and plans, within the project, and writing asks", () => {
    const { crew, textOf, decided } = importFiles({
      ".claude/agents/one.md": agent("one", "tools: Read, Grep, Edit, TodoWrite\n"),
    });
    expect(crew?.agents.get("one")?.tools).toEqual(["files__read", "files__grep", "files__edit", "todo__write"]);
    expect(textOf("crew.yaml")).toContain("files:\n    builtin: files\n    write: true\n    approval: true\n");
    expect(decided).toEqual([
      "agents read files of the whole project, and write them when a person approves (`tools.files` in crew.yaml)",
    ]);
  });

  it("go without tools that are not there, which is one decision for each kind", () => {
    const { decided, report } = importFiles({ ".claude/agents/one.md": agent("one", "tools: Bash, NoSuchTool\n") });
    expect(decided).toEqual([
      "tools of Claude Code are not there, and 1 agent goes without them: `Bash`",
      "tools of Claude Code are not there, and 1 agent goes without them: `NoSuchTool`",
    ]);
    expect(report.decisions[0]).toMatchObject({ line: 4, proposal: expect.stringContaining("programs: [git]") });
  });

  it("that cannot be read, or have the id of another, are left out with a reason", () => {
    const { crew, decided } = importFiles({
      ".claude/agents/a.md": agent("same"),
      ".claude/agents/b.md": agent("same"),
      ".claude/agents/c.md": "---\nname: open\n\nNever closed.\n",
    });
    expect([...(crew?.agents.keys() ?? [])]).toEqual(["same"]);
    expect(decided).toEqual([
      "the file is left out: agent 'same' is defined in a.md too",
      "the file is left out: frontmatter is never closed: end it with a line of three dashes",
    ]);
  });
});

describe("agents of Copilot and opencode", () => {
  it("keep handoffs that a person approves, and servers", () => {
    const { crew, textOf } = importFiles({
      ".github/agents/plan.agent.md":
        "---\nname: Planner\ndescription: Plans\nhandoffs:\n  - { label: Go, agent: build, prompt: Build it }\nmcp-servers:\n  hub: { command: hub, env: { TOKEN: $HUB } }\n---\nPlan.\n",
      ".github/agents/build.agent.md": "---\nname: Builder\ndescription: Builds\n---\nBuild.\n",
    });
    expect(crew?.agents.get("plan")?.collaborations).toMatchObject([{ agent: "build", specialty: "Build it" }]);
    expect(crew?.behaviors.get("plan")?.autoRoute).toBe(false);
    expect(textOf("crew.yaml")).toContain("hub:\n    command: hub\n    env:\n      TOKEN: ${HUB}\n");
  });

  it("let the only primary agent begin, which calls the subagents", () => {
    const { crew } = importFiles({
      ".opencode/agent/main.md": "---\ndescription: Leads\nmode: primary\nsteps: 5\n---\nLead.\n",
      ".opencode/agent/aid.md": "---\ndescription: Aids\nmode: subagent\ntools: { read: true }\n---\nAid.\n",
    });
    expect(crew?.entryPoint).toEqual({ type: "agent", agent: "main" });
    expect(crew?.agents.get("main")).toMatchObject({ subAgents: ["aid"], limits: { maxTurns: 5 } });
  });
});

describe("agents of ai-agent", () => {
  it("have what they include in their prompts, and stubs for servers that are declared nowhere", () => {
    const { crew, decided, textOf } = importFiles(
      {
        "desk.ai":
          "#!/usr/bin/env ai-agent\n---\ndescription: Desk\nmodels: openai/gpt-5, ollama/x\ntools: orders\nagents: [aid.ai]\ncache: 1h\n---\nBe kind.\n{% render 'tone.md' %}\n{% include 'gone.md' %}\nIt is ${DATE} for ${TEAM}.\n",
        "aid.ai": "---\ndescription: Aid\n---\nAid.\n",
        "tone.md": "Speak softly.\n",
      },
      "desk.ai",
    );
    expect(crew?.agents.get("desk")).toMatchObject({ tools: ["orders"], subAgents: ["aid"] });
    expect(textOf("agents/desk.md")).toContain("Be kind.\nSpeak softly.\n");
    expect(textOf("agents/desk.md")).toContain("It is {{DATE}} for ${TEAM}.");
    expect(decided).toEqual([
      "these tools are declared nowhere, and stubs in tools.ts stand in for them: `orders`",
      "'gone.md', which is included here, does not exist, neither beside this file nor in the project root",
      "`${TEAM}` in the prompt is a variable of the environment, and stays as it is",
    ]);
  });
});

describe("agents of Maia", () => {
  it("keep their prompts to the letter where each collaborator is found", () => {
    const text = "# A\n\n**Purpose**: Leads\n\n**Collaborations**: Cloud Security (audits)\n";
    const { crew, textOf } = importFiles(
      { "a.md": text, "cloud_security_agent.md": "# B\n\n**Purpose**: Guards\n" },
      "a.md",
    );
    expect(textOf("agents/a.md")).toBe(`---\ndescription: Leads\n---\n\n${text}`);
    expect(crew?.agents.get("a")?.collaborations).toMatchObject([{ agent: "cloud_security_agent" }]);
  });

  it("lose a collaborator who is nobody, which is a decision with its line", () => {
    const { crew, report, textOf } = importFiles(
      { "a.md": "# A\n\n**Collaborations**: Nobody Here (x), B\n", "b.md": "# B\n\n**Purpose**: Guards\n" },
      "a.md",
    );
    expect(crew?.agents.get("a")?.collaborations).toMatchObject([{ agent: "b" }]);
    expect(textOf("agents/a.md")).toContain("**Collaborators**: Nobody Here (x), B");
    expect(report.decisions).toMatchObject([{ line: 3, what: expect.stringContaining("'Nobody Here'") }]);
  });
});

describe("a crew of go-agentic", () => {
  const teacher =
    "id: teacher\nname: Teacher\nmodel: gpt-4o\nsystem_prompt: You are {{name}}.\ntools: [RecordAnswer]\n";

  it("has today's keys, stubs, and signals as people saw them", () => {
    const { crew, textOf, report } = importFiles({
      "quiz/config/crew.yaml":
        'version: "1.0"\nname: quiz\nentry_point: teacher\nagents: [teacher]\nrouting:\n  signals:\n    teacher: [{ signal: "[DONE]", target: "" }]\n  agent_behaviors: { teacher: { auto_route: false } }\nsettings: { enforce_quotas: true, language: en, max_rounds: 5 }\n',
      "quiz/config/agents/teacher.yaml": teacher,
    });
    expect(crew?.settings.stripSignals).toBe("none");
    expect(crew?.bindings.get("teacher")).toMatchObject([{ signal: "[DONE]", move: { type: "terminate" } }]);
    expect(crew?.behaviors.get("teacher")?.autoRoute ?? true).toBe(true);
    expect(textOf("crew.yaml")).toContain("block_on_quota_exceed: true\n");
    expect(textOf("agents/teacher.md")).toContain("You are Teacher.");
    expect(textOf("tools.ts")).toContain("export const RecordAnswer");
    expect(report.idle).toMatchObject([{ line: 9, what: "language" }]);
  });

  it("that has mistakes is written without them, and each is a decision", () => {
    const { crew, report } = importFiles(
      {
        "crew.yaml":
          'version: "1.0"\nname: q\nagents: [teacher]\nrouting:\n  signals:\n    teacher:\n      - { signal: "[GO]", target: nobody }\n      - { signal: "[END]", target: "" }\n',
        "agents/teacher.yaml": teacher,
      },
      "crew.yaml",
    );
    expect(crew?.bindings.get("teacher")).toMatchObject([{ signal: "[END]" }]);
    expect(report.decisions).toContainEqual({
      file: expect.stringMatching(/crew\.yaml$/),
      line: 7,
      what: "`routing.signals.teacher` is left out of crew.yaml: signal '[GO]' targets unknown agent 'nobody'; there is only teacher",
      proposal: "import that agent too and name it in crew.yaml, or leave it out",
    });
    const bindings = report.mapped.filter(({ is }) => is === "`routing.signals.teacher` in crew.yaml");
    expect(bindings).toMatchObject([{ line: 8 }]);
  });

  it("brings its sub-crews", () => {
    const sub = 'version: "1.0"\nname: below\nagents: [teacher]\nsettings: { language: en }\n';
    const { crew, files } = importFiles(
      {
        "top/crew.yaml":
          'version: "1.0"\nname: top\nagents: [teacher]\nsub_crews: { below: { config_path: ../below } }\nrouting:\n  signals:\n    teacher: [{ signal: "[ASK]", target_crew: below }]\nsettings: { language: en }\n',
        "top/agents/teacher.yaml": teacher,
        "below/crew.yaml": sub,
        "below/agents/teacher.yaml": teacher,
        "package.json": "{}",
      },
      "top",
    );
    expect(files.map(({ path }) => path)).toContain("crews/below/crew.yaml");
    expect(crew?.subCrews.get("below")?.crew.agents.size).toBe(1);
  });

  it("that is one of Baton's own is refused", () => {
    const folder = writeCrew({ "crew.yaml": 'version: "2.0"\nname: own\nagents: [a]\n', "agents/a.md": "Hi.\n" });
    const { crews, problems } = importSources(".", { workingDirectory: folder });
    expect(crews).toEqual([]);
    expect(problems).toMatchObject([{ message: "this is a crew of Baton already: run it as it is" }]);
  });
});
