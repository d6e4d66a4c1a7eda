import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import { buildGraph } from "./crew-graph.ts";
import { drawAscii } from "./draw-ascii.ts";
import { drawDot } from "./draw-dot.ts";
import { drawMermaid } from "./draw-mermaid.ts";

const quiz = buildGraph(
  loadWrittenCrew({
    "crew.yaml": `version: "2.0"
name: quiz
agents: [teacher, student, reporter]
sub_crews: {experts: {config_path: ./experts}}
routing:
  signals:
    teacher:
      - {signal: "[QUESTION]", target: round}
      - {signal: "[HELP]", target_crew: experts}
      - {signal: "[END]", target: reporter}
      - {signal: "[WAIT]"}
      - {signal: "[STOP]"}
  parallel_groups: {round: {agents: [student], wait_for_all: true, next_agent: teacher}}
`,
    ...agentFiles({ teacher: "description: asks", student: "", reporter: "advisors: [student]" }),
    "experts/crew.yaml": 'version: "2.0"\nname: experts\nagents: [sage]\n',
    "experts/agents/sage.md": "Know.",
  }).crew,
);

const oddNames = [`say "hi"`, "a[b](c)", "#1 & <b>", "kỹ thuật", "back\\slash", "end", "a|b;c"];
const odd = buildGraph(
  loadWrittenCrew({
    "crew.yaml": `version: "2.0"\nname: odd\nagents: ${JSON.stringify(oddNames)}\nentry_point: ${JSON.stringify(oddNames[0])}
sub_crews: {${JSON.stringify(`crew "x" <y>`)}: {config_path: ./sub}}
routing:
  signals: {"#1 & <b>": [{signal: "[KẾT THÚC]", target: 'say "hi"'}, {signal: "[GO]", target_crew: ${JSON.stringify(`crew "x" <y>`)}}]}
  parallel_groups: {"g {{1}}": {agents: [end], description: "two\\nlines \\"quoted\\""}}
`,
    ...Object.fromEntries(
      oddNames.map((id, index) => [`agents/${index}.md`, `---\nid: ${JSON.stringify(id)}\n---\nWork.\n`]),
    ),
    "sub/crew.yaml": 'version: "2.0"\nname: sub\nagents: [end]\n',
    "sub/agents/end.md": "Work.",
  }).crew,
);

describe("a Mermaid drawing", () => {
  const lines = drawMermaid(quiz)
    .split("\n")
    .map((line) => line.trim());

  it("is a flowchart with a box per agent and group", () => {
    expect(lines[0]).toBe("flowchart TD");
    expect(lines).toContain('n0(["<b>teacher</b><br/>■ ends: [STOP]<br/>‖ waits: [WAIT]"]):::entry');
    expect(lines).toContain('n1["<b>student</b>"]');
    expect(lines).toContain('n3{{"<b>round</b><br/>1 at once, waits for all"}}:::group');
  });

  it("has an arrow per way to go, dashed without a signal, round-headed for calls", () => {
    expect(lines).toContain('n0 -->|"[QUESTION]"| n3');
    expect(lines).toContain('n0 -->|"[END]"| n2');
    expect(lines).toContain('n3 -->|"then"| n0');
    expect(lines).toContain('n0 -.->|"no signal"| n1');
    expect(lines).toContain('n2 -.-o|"advised by"| n1');
    expect(lines).toContain("n3 -.-o n1");
  });

  it("draws a sub-crew as a box around its agents", () => {
    const start = lines.indexOf('subgraph nc0_["experts"]');
    expect(lines.slice(start, start + 3)).toEqual([
      'subgraph nc0_["experts"]',
      'nc0_0(["<b>sage</b><br/>■ ends: no signal"]):::entry',
      "end",
    ]);
    expect(lines).toContain('n0 -.-o|"[HELP]"| nc0_');
  });

  it("keeps odd names whole, and out of its own syntax", () => {
    const labels = [...drawMermaid(odd).matchAll(/<b>([^"]*?)<\/b>/g)].map(([, label = ""]) => unescapeMermaid(label));
    expect(labels).toEqual([...oddNames, "g {{1}}", "end"]);
  });

  it("has no quotes, angle brackets or hashes of a name left in it", () => {
    const drawing = drawMermaid(odd);
    expect(drawing).toContain("<b>say #34;hi#34;</b>");
    expect(drawing).toContain("<b>#35;1 #38; #60;b#62;</b>");
    expect(drawing).toContain('["crew #34;x#34; #60;y#62;"]');
    expect(drawing).toContain('|"[KẾT THÚC]"|');
  });
});

describe("a Graphviz drawing", () => {
  const lines = drawDot(quiz)
    .split("\n")
    .map((line) => line.trim());

  it("is a digraph with a box per agent and group", () => {
    expect(lines[0]).toBe("digraph crew {");
    expect(lines).toContain('n0 [label="teacher\\n■ ends: [STOP]\\n‖ waits: [WAIT]", penwidth=2.5];');
    expect(lines).toContain('n1 [label="student"];');
    expect(lines).toContain('n3 [label="round\\n1 at once, waits for all", shape=hexagon, style=dashed];');
  });

  it("has an arrow per way to go, dotted without a signal, dashed for calls", () => {
    expect(lines).toContain('n0 -> n3 [label="[QUESTION]", style=solid];');
    expect(lines).toContain('n3 -> n0 [label="then", style=solid];');
    expect(lines).toContain('n0 -> n1 [label="no signal", style=dotted];');
    expect(lines).toContain('n2 -> n1 [label="advised by", style=dashed, arrowhead=odot];');
  });

  it("draws a sub-crew as a cluster, at whose border its arrow ends", () => {
    expect(lines).toContain("subgraph cluster_nc0_ {");
    expect(lines).toContain('nc0_0 [label="sage\\n■ ends: no signal", penwidth=2.5];');
    expect(lines).toContain('n0 -> nc0_0 [label="[HELP]", style=dashed, arrowhead=odot, lhead=cluster_nc0_];');
  });

  it("quotes every odd name, so that it reads back whole", () => {
    const drawing = drawDot(odd);
    const labels = [...drawing.matchAll(/^ +\w+ \[label="((?:[^"\\]|\\.)*)"/gm)].map(([, label = ""]) => label);
    const names = labels.map((label) => unescapeDot(label.split("\\n")[0] ?? ""));
    expect(names).toEqual([...oddNames, "g {{1}}", "end"]);
    expect(drawing).toContain('n2 -> n0 [label="[KẾT THÚC]", style=solid];');
  });

  it("leaves no quote open on any line", () => {
    const rests = drawDot(odd)
      .split("\n")
      .map((line) => line.replace(/"(?:[^"\\]|\\.)*"/g, ""));
    expect(rests.filter((rest) => rest.includes('"'))).toEqual([]);
  });
});

describe("a drawing in text", () => {
  const drawing = drawAscii(quiz);

  it("counts what there is", () => {
    expect(drawing.split("\n")[0]).toBe("quiz (3 agents, 1 group, 1 sub-crew)");
    expect(drawing).toContain("quiz / experts (1 agent)");
  });

  it("has a paragraph per box, the entry point marked", () => {
    expect(drawing).toMatch(/^▶ teacher {2}asks$/m);
    expect(drawing).toMatch(/^● student$/m);
    expect(drawing).toMatch(/^▥ round {2}1 at once, waits for all$/m);
  });

  it.each([
    /^ +\[QUESTION\] +──▶ round$/m,
    /^ +\[HELP\] +╌╌○ experts \(crew\)$/m,
    /^ +no signal +╌╌▷ student$/m,
    /^ +\[STOP\] +──■ end$/m,
    /^ +\[WAIT\] +──‖ a human$/m,
    /^ +then ──▶ teacher$/m,
    /^ +runs ╌╌○ student$/m,
  ])("has the arrow %s", (arrow) => expect(drawing).toMatch(arrow));

  it("puts the arrows of a box under each other", () => {
    const paragraph = drawing.split("\n\n").find((each) => each.startsWith("▶ teacher")) ?? "";
    const columns = paragraph
      .split("\n")
      .slice(1)
      .map((line) => line.search(/ [─╌]/));
    expect(new Set(columns).size).toBe(1);
  });

  it("explains its arrows", () => {
    for (const sign of ["──▶", "╌╌▷", "╌╌○", "■", "‖"]) expect(drawing.trimEnd().split("\n").at(-1)).toContain(sign);
  });
});

function unescapeMermaid(label: string): string {
  return label.replace(/#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

function unescapeDot(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
