import { describe, expect, it } from "vitest";
import { importSources } from "../src/import/import-sources.ts";
import { writeCrew } from "./write-crew.ts";

const agents = `
scout:
  role: >
    Market scout
  goal: Find what customers of {product} say
  backstory: You read forums all day.
  llm: gpt-4o
  max_iter: 7
  max_rpm: 30
  allow_delegation: false
  verbose: true
writer:
  role: Writer
  goal: Write reports that people finish
  backstory: You like short sentences.
  tools: [file_writer]
`;

const tasks = `
scouting_task:
  description: Look for opinions on {product}.
  expected_output: A list of ten quotes
  agent: scout
report_task:
  description: Write the report.
  expected_output: One page
  agent: writer
  context: [scouting_task]
  output_file: report.md
`;

function importFiles(files: Readonly<Record<string, string>>, path = "config") {
  const { crews, problems } = importSources(path, { workingDirectory: writeCrew(files) });
  expect(problems).toEqual([]);
  const [crew] = crews;
  if (crew === undefined) throw new Error("nothing was imported");
  const textOf = (name: string) => crew.files.find((file) => file.path === name)?.text ?? "";
  return { ...crew, textOf };
}

const project = { "config/agents.yaml": agents, "config/tasks.yaml": tasks };

describe("a crew of CrewAI", () => {
  it("becomes a pipeline of its tasks, which passes the check", () => {
    const crew = importFiles(project);
    expect(crew.kind).toBe("crewai");
    expect(crew.diagnostics).toEqual([]);
    expect(crew.textOf("crew.yaml")).toContain("agents:\n  - scouting_task\n  - report_task\n");
    expect(crew.files.map(({ path }) => path)).toEqual([
      ...["crew.yaml", "agents/scouting_task.md", "agents/report_task.md", "tools.ts", "IMPORT.md"],
    ]);
  });

  it("keeps who does a task, what it is, its expected output, its context and its variables", () => {
    const crew = importFiles(project);
    const scouting = crew.textOf("agents/scouting_task.md");
    expect(scouting).toContain("You are Market scout.\n\nYou read forums all day.");
    expect(scouting).toContain("## Task\n\nLook for opinions on {{product}}.");
    expect(scouting).toContain("## Expected result\n\nA list of ten quotes");
    expect(crew.textOf("agents/report_task.md")).toContain("Work from the results of `scouting_task`");
    expect(crew.textOf("IMPORT.md")).toContain('baton run . "…" --var product=…');
  });

  it("keeps models and limits under the names that they have here", () => {
    const scouting = importFiles(project).textOf("agents/scouting_task.md");
    expect(scouting).toContain("models:\n  - openai/gpt-4o\n");
    expect(scouting).toContain("max_turns: 7\n");
    expect(scouting).toContain("quotas:\n  max_calls_per_minute: 30\n");
  });

  it("declares tools that live in Python as stubs", () => {
    const crew = importFiles(project);
    expect(crew.textOf("crew.yaml")).toContain("tools:\n  file_writer: ./tools.ts#file_writer\n");
    expect(crew.textOf("tools.ts")).toContain("export const file_writer = {");
  });

  it("tells what a person has to decide with a place and a proposal, and what has no effect and why", () => {
    const { report } = importFiles(project);
    expect(report.decisions).toContainEqual({
      file: expect.stringMatching(/tasks\.yaml$/),
      line: 11,
      what: "'report_task' writes its result to report.md",
      proposal: expect.stringContaining("baton run"),
    });
    expect(report.idle).toContainEqual({
      file: expect.stringMatching(/agents\.yaml$/),
      line: 11,
      what: "verbose: true",
      why: "CrewAI's, without a counterpart here",
    });
    expect(report.mapped).toContainEqual({
      file: expect.stringMatching(/agents\.yaml$/),
      line: 7,
      was: "llm: gpt-4o",
      is: "`models`",
    });
  });

  it("asks who does a task that names no agent, and proposes the one whose words fit", () => {
    const crew = importFiles({
      "config/agents.yaml": `${agents}\nchecker: { role: Fact checker, goal: Find wrong numbers, backstory: You doubt. }\n`,
      "config/tasks.yaml":
        "check_numbers:\n  description: Find the wrong numbers and doubt them.\n  expected_output: A list\n",
    });
    expect(crew.textOf("agents/check_numbers.md")).toContain("You are Fact checker.");
    const asked = crew.report.decisions.find(({ what }) => what.includes("names no agent"));
    expect(asked?.what).toBe("the task 'check_numbers' names no agent: 'checker' does it");
    expect(asked?.proposal).toContain("the others are scout, writer");
  });

  it("runs neighbouring asynchronous tasks as a group, and joins them in the task behind them", () => {
    const task = (name: string, more = "") =>
      `${name}: { description: Do ${name}., expected_output: Done, agent: scout${more} }\n`;
    const crew = importFiles({
      "config/agents.yaml": agents,
      "config/tasks.yaml": `${task("plan")}${task("left", ", async_execution: true")}${task("right", ", async_execution: true")}${task("merge", ", context: [left, right]")}`,
    });
    expect(crew.diagnostics).toEqual([]);
    expect(crew.textOf("crew.yaml")).toContain("defaults:\n    plan: left_and_1_more\n");
    expect(crew.textOf("crew.yaml")).toContain(
      "left_and_1_more:\n      agents:\n        - left\n        - right\n      wait_for_all: true\n      next_agent: merge\n",
    );
  });

  it("pauses where a person reads the answer", () => {
    const crew = importFiles({
      "config/agents.yaml": agents,
      "config/tasks.yaml": tasks.replace("agent: scout", "agent: scout\n  human_input: true"),
    });
    expect(crew.diagnostics).toEqual([]);
    expect(crew.textOf("crew.yaml")).toContain('- signal: "[APPROVED]"\n        target: report_task\n');
    expect(crew.textOf("agents/scouting_task.md")).toContain("end with [APPROVED]");
  });

  it("without tasks lets the agent begin that fits the input", () => {
    const crew = importFiles({ "config/agents.yaml": agents }, "config/agents.yaml");
    expect(crew.textOf("crew.yaml")).toContain("entry_point: auto\n");
    expect(crew.diagnostics).toEqual([]);
  });

  it("is found from either file, from its folder and from the project", () => {
    const folder = writeCrew({ "src/desk/config/agents.yaml": agents, "src/desk/config/tasks.yaml": tasks });
    const names = ["src/desk/config/tasks.yaml", "src/desk/config", "src/desk", "."].map((path) => {
      const [crew] = importSources(path, { workingDirectory: folder }).crews;
      return [crew?.name, crew?.files.length];
    });
    expect(names).toEqual(names.map(() => ["desk", 5]));
  });
});
