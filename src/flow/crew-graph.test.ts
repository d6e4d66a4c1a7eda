import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import type { Agent } from "../vocabulary/crew.ts";
import { buildGraph, type CrewGraph } from "./crew-graph.ts";

function graphOfCrew(
  agents: Readonly<Record<string, string>>,
  more = "",
  files: Readonly<Record<string, string>> = {},
): CrewGraph {
  const crew = `version: "2.0"\nname: test\nagents: [${Object.keys(agents).join(", ")}]\n${more}\n`;
  return buildGraph(loadWrittenCrew({ "crew.yaml": crew, ...agentFiles(agents), ...files }).crew);
}

/** Arrows as text: `a --[GO]--> b`, with `..` for falls and `~~` for calls. */
function arrowsOf(graph: CrewGraph): string[] {
  const lines = { moves: "--", falls: "..", calls: "~~" };
  return graph.edges
    .map(({ from, to, toKind, kind, labels }) => {
      const line = lines[kind];
      return `${from} ${line}${labels.join("+")}${line}> ${toKind === "crew" ? `crew ${to}` : to}`;
    })
    .sort();
}

function nodeOf(graph: CrewGraph, name: string) {
  return graph.nodes.find((node) => node.name === name);
}

describe("the boxes of a crew", () => {
  it("are its agents in order, then its groups", () => {
    const routing = "routing: {parallel_groups: {g: {agents: [a, b], wait_for_all: true}}}";
    const graph = graphOfCrew({ b: "", a: "" }, routing);
    expect(graph.name).toBe("test");
    expect(graph.nodes.map(({ name, kind }) => `${kind} ${name}`)).toEqual(["agent b", "agent a", "group g"]);
  });

  it("mark the entry point", () => {
    const graph = graphOfCrew({ a: "", b: "" }, "entry_point: b");
    expect(graph.nodes.map(({ isEntry }) => isEntry)).toEqual([false, true]);
  });

  it("mark every agent as one that may begin where it is picked by classification", () => {
    const graph = graphOfCrew({ a: "", b: "" }, "entry_point: auto");
    expect(graph.nodes.map(({ isEntry }) => isEntry)).toEqual([true, true]);
  });

  it("mark a classifier as one that chooses among the others", () => {
    const graph = graphOfCrew({ a: "", b: "", t: "" }, "entry_point: auto\nsettings: { classifier: t }");
    expect(graph.nodes.map(({ isEntry }) => isEntry)).toEqual([true, true, false]);
    const chosen = graph.edges.filter(({ labels }) => labels.includes("chooses"));
    expect(chosen.map(({ from, to }) => `${from} ${to}`)).toEqual(["t a", "t b"]);
  });

  it("say what agents are about", () => {
    const graph = graphOfCrew({ a: "description: writes\nrole: writer", b: "role: critic", c: "" });
    expect(graph.nodes.map(({ about }) => about)).toEqual(["writes", "critic", undefined]);
  });

  it.each([
    ["wait_for_all: true", "2 at once, waits for all"],
    ["wait_for_all: false", "2 at once, first counts"],
    ["min_success: 2", "2 at once, waits for 2"],
    ["description: both are asked", "both are asked"],
  ])("say of a group with %s: %s", (keys, about) => {
    const routing = `routing: {parallel_groups: {g: {agents: [a, b], ${keys}}}}`;
    expect(nodeOf(graphOfCrew({ a: "", b: "" }, routing), "g")?.about).toBe(about);
  });

  it("say how the run ends there", () => {
    const routing = `routing: {signals: {a: [{signal: "[DONE]"}, {signal: "[STOP]"}]}}`;
    const graph = graphOfCrew({ a: "", b: "", c: "is_terminal: true" }, routing);
    expect(graph.nodes.map(({ ends }) => ends)).toEqual([["[DONE]", "[STOP]"], [], ["its answer"]]);
    expect(nodeOf(graphOfCrew({ a: "" }), "a")?.ends).toEqual(["no signal"]);
  });

  it("say what makes the run wait there", () => {
    const routing = `routing:
  signals: {a: [{signal: "[WAIT]"}, {signal: "[ASK]", type: external, pause: true}, {signal: "[TELL]", type: external}]}
  agent_behaviors: {b: {wait_for_signal: true}}`;
    const graph = graphOfCrew({ a: "", b: "" }, routing);
    expect(graph.nodes.map(({ waits }) => waits)).toEqual([["[WAIT]", "[ASK]"], ["no signal"]]);
  });
});

describe("the arrows of a crew", () => {
  it("are its signals, and what follows without one", () => {
    const routing = `routing: {signals: {a: [{signal: "[GO]", target: c}]}, defaults: {c: a}}`;
    expect(arrowsOf(graphOfCrew({ a: "", b: "", c: "" }, routing))).toEqual([
      "a --[GO]--> c",
      "a ..no signal..> b",
      "b ..no signal..> c",
      "c ..no signal..> a",
    ]);
  });

  it("are one for several signals that lead the same way", () => {
    const routing = `routing: {signals: {a: [{signal: "[GO]", target: b}, {signal: "[ON]", target: b}]}}`;
    const graph = graphOfCrew({ a: "is_terminal: true", b: "" }, routing);
    expect(arrowsOf(graph)).toEqual(["a --[GO]+[ON]--> b"]);
  });

  it("lead into groups, to their members and on", () => {
    const routing = `routing:
  signals: {a: [{signal: "[ASK]", target: g}]}
  parallel_groups: {g: {agents: [b, c], next_agent: a}}`;
    expect(arrowsOf(graphOfCrew({ a: "is_terminal: true", b: "", c: "" }, routing))).toEqual([
      "a --[ASK]--> g",
      "g --then--> a",
      "g ~~~~> b",
      "g ~~~~> c",
    ]);
  });

  it.each([
    ["handoff: b", "a --handoff--> b"],
    ["handoff: {to: b, when: {contains: x}}\nis_terminal: true", "a --handoff--> b"],
    ["router: {destinations: [b]}\nis_terminal: true", "a --router--> b"],
    ["collaborations: [b]\nis_terminal: true", "a --transfer--> b"],
    ["handoff_targets: [b]", "a ..no signal..> b"],
    ["advisors: [b]\nis_terminal: true", "a ~~advised by~~> b"],
    ["agents: [b]\nis_terminal: true", "a ~~asks~~> b"],
    ["team: {members: [b], supervisor: a}\nis_terminal: true", "a ~~team~~> b"],
  ])("show %j", (keys, arrow) => {
    expect(arrowsOf(graphOfCrew({ a: keys, b: "description: helps" }))).toEqual([arrow]);
  });

  it("lead from the face of a team to its supervisor, who has the members' answers", () => {
    const agents = {
      face: "team: {members: [m], supervisor: lead}",
      lead: "is_terminal: true",
      m: "description: helps",
    };
    const routing = `routing: {signals: {face: [{signal: "[GO]", target: m}]}}`;
    expect(arrowsOf(graphOfCrew(agents, routing))).toEqual(["face --team--> lead", "face ~~team~~> m"]);
  });

  it("end where an agent that was handed to has nothing further to do", () => {
    const graph = graphOfCrew({ a: "handoff: b", b: "", c: "" }, "entry_point: a");
    expect(arrowsOf(graph)).toEqual(["a --handoff--> b"]);
    expect(nodeOf(graph, "b")?.ends).toEqual(["no signal"]);
  });
});

describe("the sub-crews of a crew", () => {
  const crew = (more: string) => `version: "2.0"\nname: sub\nagents: [x]\n${more}`;
  const files = { "alpha/crew.yaml": crew(""), "alpha/agents/x.md": "Work." };
  const subCrews = "sub_crews: {alpha: {config_path: ./alpha}}";

  it("are drawn with it, and the arrow to them says where the result goes", () => {
    const routing = `${subCrews}
routing: {signals: {a: [{signal: "[CALL]", target_crew: alpha}, {signal: "[ASK]", target_crew: alpha, return_to: b}]}}`;
    const graph = graphOfCrew({ a: "is_terminal: true", b: "" }, routing, files);
    expect(arrowsOf(graph)).toEqual(["a ~~[CALL]+[ASK], result to b~~> crew alpha"]);
    expect(graph.crews.get("alpha")?.nodes.map(({ name }) => name)).toEqual(["x"]);
  });

  it("may be members of a group", () => {
    const routing = `${subCrews}
routing: {defaults: {a: g}, parallel_groups: {g: {agents: [b], crews: [alpha], next_agent: b}}}`;
    expect(arrowsOf(graphOfCrew({ a: "", b: "is_terminal: true" }, routing, files))).toEqual([
      "a ..no signal..> g",
      "g --then--> b",
      "g ~~~~> b",
      "g ~~~~> crew alpha",
    ]);
  });

  it("are one graph where they are one crew, by whatever name", () => {
    const names = "sub_crews: {alpha: {config_path: ./alpha}, beta: {config_path: ./alpha}}";
    const { crews } = graphOfCrew({ a: "" }, names, files);
    expect([...crews.keys()]).toEqual(["alpha", "beta"]);
    expect(crews.get("beta")).toBe(crews.get("alpha"));
  });
});

describe("a crew that refers to what it does not have", () => {
  it("is drawn without the arrows that lead nowhere", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": `version: "2.0"
name: test
agents: [a, b]
sub_crews: {lab: {config_path: ./lab}, spare: {config_path: ./lab}}
routing:
  signals:
    a: [{signal: "[ASK]", target: g}, {signal: "[CALL]", target_crew: lab, on_error: fallback, fallback_crew: spare}]
  parallel_groups: {g: {agents: [a], crews: [lab], next_agent: b}}`,
      ...agentFiles({ a: "handoff: b\ndelegate: [lab]", b: "delegate: [lab]" }),
      "lab/crew.yaml": 'version: "2.0"\nname: lab\nagents: [x]\n',
      "lab/agents/x.md": "Work.",
    });
    const withoutB = new Map([...crew.agents].filter(([id]) => id === "a"));
    expect(arrowsOf(buildGraph(crew))).toHaveLength(8);
    expect(arrowsOf(buildGraph({ ...crew, subCrews: new Map() }))).toEqual([
      "a --[ASK]--> g",
      "a --handoff--> b",
      "g --then--> b",
      "g ~~~~> a",
    ]);
    expect(arrowsOf(buildGraph({ ...crew, groups: new Map(), subCrews: new Map() }))).toEqual(["a --handoff--> b"]);
    expect(arrowsOf(buildGraph({ ...crew, agents: withoutB, groups: new Map() }))).toEqual([
      "a ~~[CALL] failed~~> crew spare",
      "a ~~[CALL]+delegates~~> crew lab",
    ]);
  });
});

describe("a large crew", () => {
  it("has each agent looked at a few times only", () => {
    const ids = Array.from({ length: 300 }, (_, index) => `a${index}`);
    const { crew } = loadWrittenCrew({
      "crew.yaml": `version: "2.0"\nname: test\nagents: [${ids.join(", ")}]\n`,
      ...agentFiles(Object.fromEntries(ids.map((id) => [id, ""]))),
    });
    let reads = 0;
    const countReads = (agent: Agent): Agent => ({
      ...agent,
      get id() {
        reads++;
        return agent.id;
      },
    });
    const agents = new Map([...crew.agents].map(([id, agent]) => [id, countReads(agent)]));
    expect(buildGraph({ ...crew, agents }).nodes).toHaveLength(ids.length);
    expect(reads).toBeLessThan(10 * ids.length);
  });

  it("has very many signals on one arrow without taking long", { timeout: 5000 }, () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": `version: "2.0"\nname: test\nagents: [a, b]\nrouting: {signals: {a: [{signal: "[GO]", target: b}]}}\n`,
      ...agentFiles({ a: "is_terminal: true", b: "" }),
    });
    const bindings = new Map(
      [...crew.bindings].map(([agent, bound]) => [
        agent,
        bound.flatMap((each) => Array.from({ length: 20_000 }, (_, index) => ({ ...each, signal: `[S${index}]` }))),
      ]),
    );
    expect(buildGraph({ ...crew, bindings }).edges.map(({ labels }) => labels.length)).toEqual([20_000]);
  });
});

describe("calls that no signal shows", () => {
  const lab = { "lab/crew.yaml": 'version: "2.0"\nname: lab\nagents: [x]\n', "lab/agents/x.md": "Work." };
  const subCrews = "sub_crews: {lab: {config_path: ./lab}, spare: {config_path: ./lab}}";

  it("of an agent that delegates, and of a crew to fall back to, are drawn", () => {
    const routing = `routing: {signals: {a: [{signal: "[X]", target_crew: lab, on_error: fallback, fallback_crew: spare}]}}`;
    const graph = graphOfCrew({ a: "delegate: [lab]" }, `${subCrews}\n${routing}`, lab);
    expect(arrowsOf(graph)).toEqual(["a ~~[X] failed~~> crew spare", "a ~~[X]+delegates~~> crew lab"]);
  });

  it("of a crew to fall back to are not drawn where a failure leads elsewhere", () => {
    const routing = `routing: {signals: {a: [{signal: "[X]", target_crew: lab, on_error: continue, fallback_crew: spare}]}}`;
    expect(arrowsOf(graphOfCrew({ a: "is_terminal: true" }, `${subCrews}\n${routing}`, lab))).toEqual([
      "a ~~[X]~~> crew lab",
    ]);
  });

  it("of an agent that composes lead to all agents but itself", () => {
    expect(arrowsOf(graphOfCrew({ a: "compose: true", b: "is_terminal: true" }))).toContain("a ~~may compose~~> b");
    expect(arrowsOf(graphOfCrew({ a: "compose: true", b: "is_terminal: true" }))).not.toContain("a ~~may compose~~> a");
  });

  it("of a human whose approval is needed stand in the box", () => {
    const graph = graphOfCrew({ a: "description: d" }, "routing: {agent_behaviors: {a: {auto_route: false}}}");
    expect(nodeOf(graph, "a")?.waits).toEqual(["approval"]);
  });
});
