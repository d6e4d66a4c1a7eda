import { describe, expect, it } from "vitest";
import { insertAgent } from "./insert-agent.ts";

describe("adding an agent to a crew.yaml", () => {
  it("keeps the comments and the form of a list in brackets", () => {
    const text = 'name: desk # a desk\nagents: [triage, "fixer"] # two\nsettings: {}\n';
    expect(insertAgent(text, "clerk")).toBe(
      'name: desk # a desk\nagents: [triage, "fixer", clerk] # two\nsettings: {}\n',
    );
    expect(insertAgent("agents: [ ]\n", "clerk")).toBe("agents: [ clerk]\n");
    expect(insertAgent("agents: [\n  a,\n  b,\n]\n", "clerk")).toBe("agents: [\n  a,\n  b, clerk,\n]\n");
  });

  it("keeps the comments and the indentation of a list of lines", () => {
    const text = "agents:\n  - triage\n  - fixer # repairs\n\n# limits\nsettings: {}\n";
    const grown = "agents:\n  - triage\n  - fixer # repairs\n  - clerk\n\n# limits\nsettings: {}\n";
    expect(insertAgent(text, "clerk")).toBe(grown);
    expect(insertAgent("agents:\n- triage", "clerk")).toBe("agents:\n- triage\n- clerk");
  });

  it("finds no list where there is none", () => {
    for (const text of ["", "name: desk\n", "agents: all\n", "- agents\n"])
      expect(insertAgent(text, "x")).toBeUndefined();
  });
});
