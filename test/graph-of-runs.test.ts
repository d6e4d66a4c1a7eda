import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { drawAscii } from "../src/flow/draw-ascii.ts";
import { drawDot } from "../src/flow/draw-dot.ts";
import { drawMermaid } from "../src/flow/draw-mermaid.ts";
import { drawSvg } from "../src/flow/draw-svg.ts";
import { buildRunGraph } from "../src/flow/run-graph.ts";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { loadWrittenCrew } from "./load-written-crew.ts";
import { playOnce } from "./play-once.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const steps = [
  { agent: "writer", task: "Draft it" },
  { agent: "critic", task: "Find mistakes" },
  { agent: "writer", task: "Mend them" },
];

const files = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"
name: newsroom
entry_point: editor
agents: [editor, writer, critic]
sub_crews: { lab: { config_path: ./lab } }
routing:
  signals:
    editor: [{ signal: "[MEASURE]", target_crew: lab }, { signal: "[DONE]", target: "" }]
    critic: [{ signal: "[BACK]", target: writer }]
`,
  "agents/editor.md": "---\ndescription: edits\ncompose: true\n---\nUse [MEASURE], end with [DONE].",
  "agents/writer.md": "---\ndescription: writes\ncompose: true\ndelegate: [lab]\n---\nWrite.",
  "agents/critic.md": "---\ndescription: criticizes\n---\nCriticize. Say [BACK].",
  "lab/crew.yaml": 'version: "2.0"\nname: lab\nentry_point: meter\nagents: [meter]\n',
  "lab/agents/meter.md": "---\ndescription: measures\n---\nMeasure.",
  "script.yaml": JSON.stringify({
    editor: [
      "measure [MEASURE]",
      { tools: [{ name: "crew__compose", args: { mode: "sequence", agents: steps } }] },
      { tools: [{ name: "crew__compose", args: { mode: "parallel", agents: steps.slice(0, 2) } }] },
      "fine [DONE]",
    ],
    writer: [
      {
        tools: [
          { name: "crew__delegate", args: { crew: "lab", input: "how long" } },
          { name: "crew__compose", args: { mode: "sequence", agents: [{ agent: "critic", task: "Help me" }] } },
        ],
      },
      "draft",
      "final",
      "title",
    ],
    critic: ["helped", "too long", "motto"],
    meter: ["3 cm", "4 cm"],
  }),
};

describe("baton graph --run", () => {
  const cwd = writeCrew(files);
  const ran = runBaton(["run", ".", "Tides", "--script", "script.yaml"], { cwd });
  const graph = (...args: string[]) => runBaton(["graph", "--run", "last", ...args], { cwd });

  it("draws the crew with the way that was taken, and the crews that were composed", () => {
    expect(ran).toMatchObject({ exitCode: 0, stdout: "fine\n" });
    expect(graph().stdout).toBe(`newsroom (3 agents, 3 sub-crews)

▶ editor  ✓ ×2  edits
    may compose ╌╌○ writer
    may compose ╌╌○ critic
    [MEASURE]   ╌╌○ lab (crew)  ✓ ×1
    no signal   ╌╌▷ writer
    composed    ╌╌○ composed #1 (crew)  ✓ ×1
    composed    ╌╌○ composed #2 (crew)  ✓ ×1
    [DONE]      ──■ end

● writer  writes
    may compose ╌╌○ editor
    may compose ╌╌○ critic
    no signal   ╌╌▷ critic
    delegates   ╌╌○ lab (crew)

● critic  criticizes
    [BACK]    ──▶ writer
    no signal ──■ end

newsroom / lab (1 agent)

▶ meter  ✓ ×1  measures
    no signal ──■ end

newsroom / composed #1 (3 agents, 2 sub-crews)

▶ writer  ✓ ×1  Draft it
    then      ──▶ critic  ✓ ×1
    delegates ╌╌○ lab (crew)  ✓ ×1
    composed  ╌╌○ composed (crew)  ✓ ×1

● critic  ✓ ×1  Find mistakes
    then ──▶ writer-2  ✓ ×1

● writer-2  ✓ ×1  Mend them
    its answer ──■ end

newsroom / composed #1 / lab (1 agent)

▶ meter  ✓ ×1  measures
    no signal ──■ end

newsroom / composed #1 / composed (1 agent)

▶ critic  ✓ ×1  Help me
    its answer ──■ end

newsroom / composed #2 (2 agents, 1 group)

▥ all  ✓ ×1  2 at once, waits for all
    runs ╌╌○ writer
    runs ╌╌○ critic

● writer  ✓ ×1  Draft it

● critic  ✓ ×1  Find mistakes

──▶ passes on   ╌╌▷ without a signal   ╌╌○ calls and comes back   ■ the run ends   ‖ waits for a human   ✓ ×n happened n times
`);
  });

  it.each([
    ["mermaid", '-.-o|"composed<br/>✓ ×1"| nc1_'],
    ["mermaid", "<b>writer-2</b><br/>■ ends: its answer<br/>Mend them<br/>✓ ×1"],
    ["dot", 'label="composed\\n✓ ×1", style=dashed, arrowhead=odot, lhead=cluster_nc1_, penwidth=2.5'],
  ])("draws it as %s", (format, says) => {
    expect(graph("--format", format).stdout).toContain(says);
  });

  it("gives it as JSON, and takes a path for the project", () => {
    const drawn = JSON.parse(runBaton(["graph", cwd, "--run", "last", "--json"]).stdout);
    expect(drawn.nodes[0]).toMatchObject({ name: "editor", times: 2 });
    expect(
      drawn.crews["composed #1"].nodes.map(({ name, task }: { name: string; task: string }) => [name, task]),
    ).toEqual([
      ["writer", "Draft it"],
      ["critic", "Find mistakes"],
      ["writer-2", "Mend them"],
    ]);
  });

  it("says what is missing, or unknown", () => {
    expect(runBaton(["graph"], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("give a path") });
    const unknown = runBaton(["graph", "--run", "nope"], { cwd });
    expect(unknown.exitCode).not.toBe(0);
    expect(unknown.stderr).toContain("there is no run 'nope'");
  });

  it("is what baton show and replay agree with", () => {
    expect(runBaton(["replay", "last"], { cwd }).stdout).toContain("all the same");
    expect(runBaton(["show", "last", "--tree"], { cwd }).stdout).toMatch(
      /─ composed .*│ [^\n]*─ composed .*│ [^\n]*─ critic /s,
    );
    expect(runBaton(["show", "last", "--transcript"], { cwd }).stdout).toContain("› Draft it");
  });
});

describe("the graph of a run", () => {
  const folders = ["multi-crew", "compose"].map((name) =>
    fileURLToPath(new URL(`./scenarios/${name}`, import.meta.url)),
  );

  it("can be drawn of every scenario with several crews, and has each answer of the crew's own line", async () => {
    for (const file of folders.flatMap(findScenarios)) {
      const { scenario, events = [] } = (await playOnce(file)) ?? {};
      if (scenario === undefined || scenario.expect?.status === "invalid") continue;
      const { files: written = new Map(), run = ".", tools } = scenario;
      const { crew } = loadWrittenCrew(Object.fromEntries(written), run, { tools: [...(tools?.keys() ?? [])] });
      const graph = buildRunGraph(crew, events);
      for (const draw of [drawAscii, drawMermaid, drawDot, drawSvg]) expect(draw(graph)).not.toBe("");
      const answers = events.filter(({ type, crew: within }) => type === "agent.completed" && within === undefined);
      const drawn = graph.nodes.filter(({ kind }) => kind === "agent").map(({ times = 0 }) => times);
      expect(
        drawn.reduce((sum, times) => sum + times, 0),
        file,
      ).toBe(answers.length);
    }
  });

  it("has a way that a human chose, which no arrow stands for", async () => {
    const { crew } = loadWrittenCrew(files);
    const place = { runId: toRunId("run_x"), id: "", ts: 0 };
    const events = [
      { ...place, seq: 0, type: "run.started", path: "", data: { crew: "newsroom", input: "Tides" } },
      {
        ...place,
        seq: 1,
        type: "handoff",
        path: "0",
        data: { from: "editor", to: "critic", via: "signal", reason: "redirected by a human", n: 1 },
      },
    ] as const;
    expect(drawAscii(buildRunGraph(crew, events))).toContain("redirected by a human ──▶ critic  ✓ ×1");
  });
});
