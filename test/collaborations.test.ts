import { describe, expect, it } from "vitest";
import { checkCrew } from "../src/definition/check-crew.ts";
import { agentFiles, loadWrittenCrew } from "./load-written-crew.ts";
import { writeCrew } from "./write-crew.ts";

/** The diagnostics of a crew of these agents. */
function check(agents: Readonly<Record<string, string>>) {
  const ids = Object.keys(agents).join(", ");
  const folder = writeCrew({
    "crew.yaml": `version: "2.0"\nname: t\nentry_point: a\nagents: [${ids}]\n`,
    ...agentFiles(agents),
  });
  return checkCrew(folder, { root: folder }).diagnostics;
}

describe("collaborators that nobody can find", () => {
  it("are errors that end in the nearest name", () => {
    const diagnostics = check({ a: "collaborations: [Python Reviewr]", python_reviewer_agent: "description: reviews" });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: "error",
        code: "unknown-collaborator",
        message: "unknown collaborator 'Python Reviewr'; did you mean 'python_reviewer_agent'?",
      }),
    );
  });

  it("are all reported at once, with their places, among a hundred and one agents", () => {
    const others = Array.from({ length: 100 }, (_, index) => {
      const name = index % 2 === 0 ? `Stranger Number ${index}` : `Agent ${index - 1}`;
      return [`agent_${index}`, `description: d\ncollaborations: [${name}]`] as const;
    });
    const diagnostics = check({ a: "description: d\ncollaborations: [agent_1]", ...Object.fromEntries(others) });
    const unknown = diagnostics.filter(({ code }) => code === "unknown-collaborator");
    expect(unknown).toHaveLength(50);
    expect(new Set(unknown.map(({ file }) => file)).size).toBe(50);
    expect(unknown.every(({ line, frame }) => line === 3 && frame.includes("Stranger Number"))).toBe(true);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(50);
  });

  it("are ambiguous where a name fits several agents, which are all named", () => {
    const diagnostics = check({
      a: "description: d\ncollaborations: [Data Analyst]",
      "data-analyst": "description: d",
      data_analyst: "description: d",
    });
    expect(diagnostics.find(({ severity }) => severity === "error")).toMatchObject({
      code: "unknown-collaborator",
      message: "'Data Analyst' fits several agents: data-analyst, data_analyst",
    });
  });

  it("have no effect where they are the agent itself", () => {
    expect(check({ a: "description: d\ncollaborations: [A]" })).toContainEqual(
      expect.objectContaining({
        code: "no-effect",
        severity: "warning",
        message: "agent 'a' cannot transfer work to itself",
      }),
    );
  });
});

describe("a collaborator that is named in keys and in the body", () => {
  it("is one, with the specialty that either gives", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [a, b]\n',
      "agents/a.md": "---\ncollaborations: [b]\n---\nHi.\n\n**Collaborations**: B (figures)\n",
      "agents/b.md": "---\ndescription: helps\n---\nWork.",
    });
    expect(crew.agents.get("a")?.collaborations).toMatchObject([{ agent: "b", specialty: "figures" }]);
  });

  it("is one, with the condition and the priority that either gives", () => {
    const { crew } = loadWrittenCrew({
      "crew.yaml": 'version: "2.0"\nname: t\nagents: [a, b]\n',
      "agents/a.md": "---\ncollaborations: [b, { agent: B, priority: 3, when: { contains: x } }]\n---\nHi.\n",
      "agents/b.md": "---\ndescription: helps\n---\nWork.",
    });
    expect(crew.agents.get("a")?.collaborations).toMatchObject([{ agent: "b", priority: 3, when: { contains: "x" } }]);
  });
});

describe("transfers at once in strict mode", () => {
  it.each([
    ["parallel_handoffs: true", ["parallel_timeout_seconds"]],
    ["parallel_handoffs: false", []],
  ])("want their time given with %s", (key, missing) => {
    const folder = writeCrew({
      "crew.yaml": `version: "2.0"\nname: t\nagents: [a, b, c]\nsettings: { config_mode: strict, max_handoffs: 3, max_rounds: 9, timeout_seconds: 60, ${key} }\n`,
      ...agentFiles({
        a: "description: d\ncollaborations: [b, c]",
        b: "description: d\nis_terminal: true",
        c: "description: d\nis_terminal: true",
      }),
    });
    const { diagnostics } = checkCrew(folder, { root: folder });
    expect(diagnostics.filter(({ code }) => code === "missing-limit").map(({ message }) => message)).toEqual(
      missing.map((limit) => `strict mode needs 'settings.${limit}' to be given`),
    );
  });
});

describe("collaborators who collaborate with each other", () => {
  it("are no circle that is reported, and nobody of them is unreachable or at a dead end", () => {
    const both = { a: "description: d\ncollaborations: [b]", b: "description: d\ncollaborations: [a]" };
    expect(check(both).filter(({ code }) => code !== "unmentioned-signal")).toEqual([]);
  });
});
