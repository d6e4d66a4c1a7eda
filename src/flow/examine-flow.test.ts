import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import { examineFlow, type FlowFindings } from "./examine-flow.ts";

/** The findings for a crew of these agents, given as their frontmatter, with this `routing` and `more` of crew.yaml. */
function findingsOf(agents: Readonly<Record<string, string>>, routing = "{}", more = ""): Partial<FlowFindings> {
  const ids = Object.keys(agents).join(", ");
  const crew = `version: "2.0"\nname: test\nagents: [${ids}]\nrouting: ${routing}\n${more}\n`;
  const found = examineFlow(loadWrittenCrew({ "crew.yaml": crew, ...agentFiles(agents) }).crew);
  return Object.fromEntries(Object.entries(found).filter(([, names]) => names.length > 0));
}

const nothing = {};

describe("a crew in order", () => {
  it("has no findings where each agent is followed by the next of the list", () => {
    expect(findingsOf({ a: "", b: "", c: "" })).toEqual(nothing);
  });

  it("has none where agents go round and one of them may end the run", () => {
    const routing = `{signals: {a: [{signal: "[GO]", target: b}], b: [{signal: "[BACK]", target: a}, {signal: "[END]"}]}}`;
    expect(findingsOf({ a: "", b: "" }, routing, "settings: {on_no_signal: pause}")).toEqual(nothing);
  });

  it("has none with a single agent", () => expect(findingsOf({ a: "" })).toEqual(nothing));
});

describe("an agent that nobody reaches", () => {
  it("is found behind one that ends the run", () => {
    expect(findingsOf({ a: "is_terminal: true", b: "" })).toEqual({ unreachable: ["b"] });
  });

  it("is found behind one that hands off to another", () => {
    expect(findingsOf({ a: "handoff: c", b: "", c: "" })).toEqual({ unreachable: ["b"] });
  });

  it("is found before the entry point", () => {
    expect(findingsOf({ a: "", b: "" }, "{}", "entry_point: b")).toEqual({ unreachable: ["a"] });
  });

  it("is found where only its own group has it, which nobody calls", () => {
    const routing = "{parallel_groups: {g: {agents: [b]}}}";
    expect(findingsOf({ a: "is_terminal: true", b: "" }, routing)).toEqual({ unreachable: ["b"] });
  });

  it("is found where the transfers that lead to it are turned off", () => {
    const agents = { a: "is_terminal: true\ncollaborations: [b]", b: "description: helps" };
    expect(findingsOf(agents)).toEqual(nothing);
    expect(findingsOf(agents, "{}", "settings: {handoffs_enabled: false}")).toEqual({ unreachable: ["b"] });
  });

  it.each([
    ["a signal", "is_terminal: true", `{signals: {a: [{signal: "[GO]", target: b}]}}`],
    ["a default", "", "{defaults: {a: b}}"],
    [
      "a group",
      "is_terminal: true",
      `{signals: {a: [{signal: "[GO]", target: g}]}, parallel_groups: {g: {agents: [b], next_agent: a}}}`,
    ],
    ["a handoff", "handoff: b", "{}"],
    ["a router", "is_terminal: true\nrouter: {destinations: [b]}", "{}"],
    ["a handoff target", "handoff_targets: [b]", "{}"],
    ["an advisor's seat", "is_terminal: true\nadvisors: [b]", "{}"],
    ["a sub-agent's place", "is_terminal: true\nagents: [b]", "{}"],
    ["a team", "team: {members: [b], supervisor: a}\nis_terminal: true", "{}"],
  ])("is none where %s leads to it", (_, keys, routing) => {
    expect(findingsOf({ a: keys, b: "description: helps" }, routing)).toEqual(nothing);
  });

  it("is none where the entry is picked by classification", () => {
    expect(findingsOf({ a: "is_terminal: true", b: "" }, "{}", "entry_point: auto")).toEqual(nothing);
  });

  it("is none where it writes the summaries or picks the entry", () => {
    const agents = { a: "is_terminal: true", b: "", c: "" };
    expect(findingsOf(agents, "{}", "settings: {summarizer: b, classifier: c}")).toEqual(nothing);
  });
});

describe("a dead end", () => {
  it("is an agent that waits for a signal and has none to give", () => {
    expect(findingsOf({ a: "" }, "{agent_behaviors: {a: {wait_for_signal: true}}}")).toEqual({ deadEnds: ["a"] });
  });

  it("is an agent whose only signal pauses", () => {
    const routing = `{signals: {a: [{signal: "[WAIT]"}]}, agent_behaviors: {a: {wait_for_signal: true}}}`;
    expect(findingsOf({ a: "" }, routing)).toEqual({ deadEnds: ["a"] });
  });

  it("is an agent whose only signal leads back to itself", () => {
    const routing = `{signals: {a: [{signal: "[AGAIN]", target: a}]}}`;
    expect(findingsOf({ a: "" }, routing, "settings: {on_no_signal: pause}")).toEqual({ deadEnds: ["a"] });
  });

  it("is not one that can end the run by a signal", () => {
    const routing = `{signals: {a: [{signal: "[DONE]"}]}, agent_behaviors: {a: {wait_for_signal: true}}}`;
    expect(findingsOf({ a: "" }, routing)).toEqual(nothing);
  });

  it("is a group after which nobody goes on", () => {
    const signals = `signals: {b: [{signal: "[ASK]", target: g}]}`;
    const agents = { a: "", b: "" };
    expect(findingsOf(agents, `{${signals}, parallel_groups: {g: {agents: [a]}}}`)).toEqual({ openGroups: ["g"] });
    expect(findingsOf(agents, `{${signals}, parallel_groups: {g: {agents: [a], next_agent: b}}}`)).toEqual(nothing);
  });

  it("is no group whose emitter is followed by somebody", () => {
    const routing = `{signals: {a: [{signal: "[ASK]", target: g}]}, parallel_groups: {g: {agents: [b]}}}`;
    expect(findingsOf({ a: "", b: "" }, routing)).toEqual(nothing);
  });
});

describe("a crew of very many ways to go", () => {
  it("is examined without overflowing the stack", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: test\nagents: [a, b]\n',
      ...agentFiles({ a: "router: {destinations: [b]}", b: "description: helps" }),
    });
    const [a, b] = [...crew.agents.values()];
    if (a?.router === undefined || b === undefined) throw new Error("the crew has two agents, the first a router");
    const destinations = a.router.destinations.flatMap((each) => Array.from({ length: 130_000 }, () => each));
    const many = { ...a, router: { destinations }, advisors: destinations.map(({ agent }) => agent) };
    expect(examineFlow({ ...crew, agents: new Map([many, b].map((agent) => [agent.id, agent])) })).toEqual({
      unreachable: [],
      fallingThrough: new Map(),
      deadEnds: [],
      openGroups: [],
      endless: [],
    });
  });
});

describe("a circle without a way out", () => {
  it("is found as the path round it", () => {
    expect(findingsOf({ a: "", b: "" }, "{defaults: {a: b, b: a}}")).toEqual({ endless: [["a", "b", "a"]] });
  });

  it("is found behind an agent that is not part of it", () => {
    const routing = "{defaults: {b: c, c: b}}";
    expect(findingsOf({ a: "", b: "", c: "" }, routing)).toEqual({ endless: [["b", "c", "b"]] });
  });

  it("is found by way of a group", () => {
    const routing = "{defaults: {a: g}, parallel_groups: {g: {agents: [b], next_agent: a}}}";
    expect(findingsOf({ a: "", b: "" }, routing)).toEqual({ endless: [["a", "a"]] });
  });

  it("is found once where several share an agent", () => {
    const signals = `signals: {a: [{signal: "[B]", target: b}, {signal: "[C]", target: c}]}`;
    const routing = `{${signals}, defaults: {a: b, b: a, c: a}}`;
    expect(findingsOf({ a: "", b: "", c: "" }, routing)).toEqual({ endless: [["a", "b", "a"]] });
  });

  it("is none where a signal leads out of it", () => {
    const routing = `{defaults: {a: b, b: a}, signals: {b: [{signal: "[END]"}]}}`;
    expect(findingsOf({ a: "", b: "" }, routing)).toEqual(nothing);
  });
});
