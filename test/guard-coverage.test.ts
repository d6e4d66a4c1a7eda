import { describe, expect, it } from "vitest";
import { runScenarios } from "../src/scenario/run-scenarios.ts";
import { writeSuggestions } from "../src/scenario/suggest/write-suggestions.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"
name: guarded
entry_point: desk
agents: [desk, fixer, censor]
guards:
  input:
    - { max_chars: 200 }
    - no_secrets
    - { agent: censor }
    - { matches: "^[TH]" }
  output: [{ forbids: [lawyer], on_trip: rewrite }, { agent: censor, on_trip: ask }]
routing:
  signals: { desk: [{ signal: "[FIX]", target: fixer }] }
settings: { on_no_signal: stop }
`,
  "agents/desk.md": `---
description: takes orders
guards:
  input: [{ agent: censor, on_trip: block }, { forbids: [sue], on_trip: ask }, { agent: censor }]
  output: [{ agent: censor, on_trip: rewrite }, { language: en, on_trip: retry }, { max_chars: 280, on_trip: rewrite }, no_secrets]
---
Say [FIX].`,
  "agents/fixer.md": `---
description: fixes
guards:
  input: [{ max_chars: 100 }]
  output: [{ json: { type: object, properties: { a: { type: string } }, required: [a] } }, { agent: censor }, { grounded: {}, on_trip: retry }]
---
Fix.`,
  "agents/censor.md": "---\ndescription: judges\n---\nJudge.",
};

async function cover(scenario: object) {
  const text = JSON.stringify({ run: ".", input: "Hello", expect: {}, ...scenario });
  const folder = writeCrew({ ...files, "a.scenario.yaml": text });
  const { coverage = [], scenarios } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
  expect(scenarios[0]?.problems).toEqual([]);
  const items = coverage.flatMap((each) => each.items).filter(({ kind }) => kind === "guard");
  return { folder, items, covered: items.flatMap(({ covered, name }) => (covered ? [name] : [])) };
}

const pass = '{"verdict": "pass"}';

describe("the coverage of guards", () => {
  it("counts each guard twice, with its line: that it lets pass, and what follows when it trips", async () => {
    const { items } = await cover({ script: { censor: ['{"verdict": "block"}'] } });
    expect(items.slice(0, 6).map(({ name, file, line }) => `${file}:${line} ${name}`)).toEqual([
      "crew.yaml:7 guard input max_chars: passed",
      "crew.yaml:7 guard input max_chars: block",
      "crew.yaml:8 guard input no_secrets: passed",
      "crew.yaml:8 guard input no_secrets: block",
      "crew.yaml:9 guard input censor: passed",
      "crew.yaml:9 guard input censor: tripped",
    ]);
    expect(items.map(({ name }) => name)).toContain("guard desk input censor (2): tripped");
    expect(items).toHaveLength(34);
  });

  it("tells guards of one name apart, and those beside the first model call from those before it", async () => {
    const { covered } = await cover({
      script: { censor: [pass, pass, '{"verdict": "block", "reason": "rude"}'], desk: ["Hello"] },
      expect: { status: "failed" },
    });
    expect(covered).toEqual([
      "guard input max_chars: passed",
      "guard input no_secrets: passed",
      "guard input censor: passed",
      "guard input matches: passed",
      "guard desk input censor: block",
      "guard desk input forbids: passed",
      "guard desk input censor (2): passed",
    ]);
  });

  it("is completed by suggestions wherever words or a judge can trip a guard", async () => {
    const { folder } = await cover({ script: { censor: ['{"verdict": "block"}'] } });
    const written = await writeSuggestions(["."], { workingDirectory: folder });
    expect(written.flatMap(({ unreached }) => unreached)).toEqual([]);
    const { failed, coverage = [] } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
    const missing = coverage.flatMap((each) => each.items).filter(({ covered, unfilled }) => !covered && !unfilled);
    expect([failed, missing]).toEqual([0, []]);
  });
});
