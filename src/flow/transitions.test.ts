import { describe, expect, it } from "vitest";
import { agentFiles, loadWrittenCrew } from "../../test/load-written-crew.ts";
import { findFallback, findFallbackAfterGroup, type Stop } from "./transitions.ts";

function crewOf(agents: Readonly<Record<string, string>>, routing = "{}") {
  const crew = `version: "2.0"\nname: test\nagents: [${Object.keys(agents).join(", ")}]\nrouting: ${routing}\n`;
  return loadWrittenCrew({ "crew.yaml": crew, ...agentFiles(agents) }).crew;
}

function stopsAfter(agents: Readonly<Record<string, string>>, routing?: string): Stop[] {
  return findFallback(crewOf(agents, routing), "a", "line").map(({ stop }) => stop);
}

const toC: Stop = { type: "agent", agent: "c", standing: "line" };
const toB: Stop = { type: "agent", agent: "b", standing: "line" };

describe("an answer without a signal", () => {
  it.each([
    ["a team's member", { a: "team: {members: [b], supervisor: a}", b: "description: b", c: "" }],
    ["an advisor", { a: "advisors: [b]", b: "description: b", c: "" }],
    ["a sub-agent", { a: "agents: [b]", b: "description: b", c: "" }],
    ["a router's destination", { a: "router: {destinations: [b]}", b: "description: b", c: "" }],
    ["a later agent's handoff target", { a: "", b: "", c: "handoff: b" }],
  ])("skips %s in the list", (_, agents) => expect(stopsAfter(agents)).toEqual([toC]));

  it("goes to a helper that routing leads to as well", () => {
    const routing = `{signals: {c: [{signal: "[BACK]", target: b}]}}`;
    expect(stopsAfter({ a: "advisors: [b]", b: "description: b", c: "" }, routing)).toEqual([toB]);
  });

  it("ends the run where only helpers follow", () => {
    expect(stopsAfter({ a: "advisors: [b]", b: "description: b" })).toEqual([
      { type: "end", stopReason: "end_of_list" },
    ]);
  });
});

describe("a group without a next agent", () => {
  it("ends the run where its emitter's default is the group itself", () => {
    const crew = crewOf({ a: "", b: "" }, "{defaults: {a: both}, parallel_groups: {both: {agents: [b]}}}");
    const stops = findFallbackAfterGroup(crew, "both", "a", "line").map(({ stop }) => stop);
    expect(stops).toEqual([{ type: "end", stopReason: "answer" }]);
  });
});
