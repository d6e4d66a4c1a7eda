import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runScenarios } from "../src/scenario/run-scenarios.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const crew = `version: "2.0"
name: desk
entry_point: triage
agents: [triage, fixer, tester, boss]
sub_crews: { lab: { config_path: ./lab } }
routing:
  signals:
    triage:
      - { signal: "[FIX]", target: fixer }
      - { signal: "[ASK]", type: pause, pause_timeout: 1h }
      - { signal: "[ALL]", target: round }
      - { signal: "[LAB]", target_crew: lab, on_error: [retry, continue], max_retries: 1 }
      - { signal: "[TELL]", type: external }
      - { signal: "[DONE]", target: "" }
    boss: [{ signal: "[BACK]", target: triage }]
  agent_behaviors: { boss: { auto_route: false } }
  parallel_groups: { round: { agents: [fixer, tester], wait_for_all: true, timeout_seconds: 5, next_agent: boss } }
settings:
  max_handoffs: 3
  on_no_signal: stop
`;
const files = {
  "package.json": "{}",
  "crew.yaml": crew,
  "agents/triage.md": "---\ndescription: sorts\n---\nSay [FIX], [ASK], [ALL], [LAB], [TELL] or [DONE].",
  "agents/fixer.md": "---\ndescription: fixes\nhandoff: { to: tester, when: { contains: broken } }\n---\nFix.",
  "agents/tester.md": "---\ndescription: tests\nmax_turns: 2\n---\nTest.",
  "agents/boss.md": "---\ndescription: decides\n---\nSay [BACK].",
  "lab/crew.yaml": 'version: "2.0"\nname: lab\nentry_point: meter\nagents: [meter]\n',
  "lab/agents/meter.md": "---\ndescription: measures\n---\nMeasure.",
};

/** What a scenario with this script shows of the crew, by crew and name. */
async function cover(scenario: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify({ run: ".", input: "Hello", expect: {}, ...scenario });
  const folder = writeCrew({ ...files, "a.scenario.yaml": text });
  const { coverage = [], scenarios } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
  expect(scenarios[0]?.problems).toEqual([]);
  return coverage;
}

async function shownBy(scenario: Readonly<Record<string, unknown>>): Promise<string[]> {
  const coverage = await cover(scenario);
  return coverage.flatMap(({ items }) => items.flatMap(({ covered, name }) => (covered ? [name] : [])));
}

describe("the coverage of a crew", () => {
  it("names everything the crew can do, each with its line", async () => {
    const [desk] = await cover({ script: { triage: ["[DONE]"] } });
    const found = desk?.items.map(({ name, file, line }) => `${file}:${line} ${name}`);
    expect(found).toEqual([
      "crew.yaml:9 binding triage [FIX]",
      "crew.yaml:10 binding triage [ASK]",
      "crew.yaml:11 binding triage [ALL]",
      "crew.yaml:12 binding triage [LAB]",
      "crew.yaml:12 policy triage [LAB]: retry",
      "crew.yaml:12 policy triage [LAB]: continue",
      "crew.yaml:13 binding triage [TELL]",
      "crew.yaml:13 external triage [TELL]",
      "crew.yaml:14 binding triage [DONE]",
      "crew.yaml:15 binding boss [BACK]",
      "crew.yaml:17 group round: joined",
      "crew.yaml:17 group round: member failed",
      "crew.yaml:17 group round: member late",
      "crew.yaml:5 sub-crew lab",
      "crew.yaml:10 pause triage: [ASK]",
      "crew.yaml:10 deadline triage: [ASK]",
      "agents/fixer.md:3 handoff fixer -> tester",
      "agents/fixer.md:3 condition fixer -> tester: not met",
      "crew.yaml:16 gate boss: approve",
      "crew.yaml:16 gate boss: reject",
      "crew.yaml:16 gate boss: redirect",
      "crew.yaml:20 fallback triage",
      "crew.yaml:20 fallback boss",
      "crew.yaml:20 fallback fixer",
      "crew.yaml:20 fallback tester",
      "crew.yaml:19 limit max_handoffs",
      "agents/tester.md:3 limit tester: max_turns",
    ]);
    expect(desk?.items.filter(({ covered }) => covered)).toEqual([
      {
        name: "binding triage [DONE]",
        kind: "binding",
        file: "crew.yaml",
        line: 14,
        covered: true,
        by: ["a.scenario.yaml"],
        unfilled: false,
      },
    ]);
    expect(desk?.percent).toBe(3.7);
  });

  it.each<[string, object, string[]]>([
    [
      "a signal and a handoff whose condition is met",
      { script: { triage: ["[FIX]"], fixer: ["It is broken"], tester: ["Tested"] } },
      ["binding triage [FIX]", "handoff fixer -> tester", "fallback tester"],
    ],
    [
      "a handoff whose condition is not met",
      { script: { triage: ["[FIX]"], fixer: ["Fixed"] } },
      ["binding triage [FIX]", "condition fixer -> tester: not met", "fallback fixer"],
    ],
    [
      "of two signals the one that decides, and what acts beside it",
      { script: { triage: ["[FIX] [DONE] [TELL]"] } },
      ["binding triage [TELL]", "external triage [TELL]", "binding triage [DONE]"],
    ],
    [
      "a pause that a human answers",
      { script: { triage: ["[ASK]", "[DONE]"] }, resume: [{ input: "yes" }] },
      ["binding triage [ASK]", "binding triage [DONE]", "pause triage: [ASK]"],
    ],
    [
      "a pause that nobody answers in time",
      { script: { triage: ["[ASK]"] }, resume: [{ expired: true }] },
      ["binding triage [ASK]", "pause triage: [ASK]", "deadline triage: [ASK]"],
    ],
    [
      "a group with a member that fails, and a gate that sends its move elsewhere",
      {
        script: {
          triage: ["[ALL]"],
          fixer: [{ error: { status: 401 } }],
          tester: ["Tested", "Read"],
          boss: ["[BACK]"],
        },
        resume: [{ decision: "redirect:tester" }],
      },
      [
        "binding triage [ALL]",
        "binding boss [BACK]",
        "group round: joined",
        "group round: member failed",
        "gate boss: redirect",
        "fallback tester",
      ],
    ],
    [
      "a group with a member that is late, a gate that refuses, and a limit of handoffs",
      {
        script: {
          triage: ["[ALL]", "[FIX]"],
          fixer: [{ text: "late", latency_ms: 9000 }],
          tester: ["Tested"],
          boss: ["[BACK]", "[BACK]"],
        },
        resume: [{ decision: "reject" }, { decision: "approve" }],
      },
      [
        "binding triage [FIX]",
        "binding triage [ALL]",
        "binding boss [BACK]",
        "group round: joined",
        "group round: member late",
        "gate boss: approve",
        "gate boss: reject",
        "limit max_handoffs",
      ],
    ],
    [
      "a sub-crew that fails, is tried again and answers",
      { script: { triage: ["[LAB]", "[DONE]"], meter: [...errors(4, 503), "42"] } },
      ["binding triage [LAB]", "policy triage [LAB]: retry", "binding triage [DONE]", "sub-crew lab", "fallback meter"],
    ],
    [
      "a sub-crew that fails for good, and a caller that goes on",
      { script: { triage: ["[LAB]", "[DONE]"], meter: errors(1, 401) } },
      ["binding triage [LAB]", "policy triage [LAB]: continue", "binding triage [DONE]"],
    ],
  ])("counts %s", async (_, scenario, names) => {
    expect(await shownBy({ ...scenario })).toEqual(names);
  });

  it("shows a sub-crew as a crew of its own, whoever calls it", async () => {
    const coverage = await cover({ script: { triage: ["[LAB]", "[DONE]"], meter: ["42"] } });
    expect(coverage.map(({ crew: name, percent }) => [name, percent])).toEqual([
      ["desk", 11.1],
      ["lab", 100],
    ]);
  });

  it("counts what unfilled scenarios show apart, and nothing of a scenario that fails", async () => {
    const base = { run: ".", input: "Hi", script: { triage: ["[DONE]"] } };
    const folder = writeCrew({
      ...files,
      "a.scenario.yaml": JSON.stringify({ ...base, unfilled: true, expect: {} }),
      "b.scenario.yaml": JSON.stringify({ ...base, script: { triage: ["[ASK]"] }, expect: { status: "failed" } }),
    });
    const { coverage, failed } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
    expect(failed).toBe(1);
    const shown = coverage?.[0]?.items.filter(({ by }) => by.length > 0);
    expect(shown?.map(({ name, covered, unfilled }) => [name, covered, unfilled])).toEqual([
      ["binding triage [DONE]", false, true],
    ]);
    expect(runBaton(["test", ".", "--min-coverage", "1"], { cwd: folder })).toMatchObject({ exitCode: 1 });
  });

  it("gives lines of the scenario for a crew that is written in it", async () => {
    const text = `files:
  crew.yaml: |
    version: "2.0"
    name: one
    agents: [a]
    routing: { signals: { a: [{ signal: "[X]", target: "" }] } }
  agents/a.md: |
    ---
    max_turns: 3
    ---
    Say [X].
script: { a: ["[X]"] }
expect: { status: completed }
`;
    const folder = writeCrew({ "one.scenario.yaml": text });
    const { coverage } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
    expect(coverage?.[0]?.items.map(({ file, line, name }) => `${file}:${line} ${name}`)).toEqual([
      "one.scenario.yaml:6 binding a [X]",
      "one.scenario.yaml:3 fallback a",
      "one.scenario.yaml:9 limit a: max_turns",
    ]);
  });

  it("exits with 1 if less is covered than is asked for, and says so", () => {
    const folder = writeCrew({
      ...files,
      "a.scenario.yaml": JSON.stringify({ run: "./lab", script: { meter: ["1"] }, expect: {} }),
    });
    expect(runBaton(["test", ".", "--min-coverage", "100"], { cwd: folder }).exitCode).toBe(0);
    const low = runBaton(["test", join(root, "test/scenarios/pause/gate-holds.scenario.yaml"), "--min-coverage", "99"]);
    expect(low.exitCode).toBe(1);
    expect(low.stderr).toMatch(/error: the scenarios cover [\d.]+ % of crew '.*', and --min-coverage asks for 99 %/);
  });
});

describe("baton graph --coverage", () => {
  it("draws what scenarios show and what none does, in every format", () => {
    const scenario = {
      run: ".",
      script: { triage: ["[FIX]"], fixer: ["It is broken"], tester: ["Tested"] },
      expect: {},
    };
    const folder = writeCrew({ ...files, "a.scenario.yaml": JSON.stringify(scenario) });
    const draw = (...args: string[]) => runBaton(["graph", ".", ...args, "--coverage", "."], { cwd: folder }).stdout;
    const ascii = draw();
    expect(ascii).toMatch(/\[FIX\] +──▶ fixer {2}✓\n/);
    expect(ascii).toMatch(/\[LAB\] +╌╌○ lab \(crew\) {2}✗ no scenario\n/);
    expect(ascii).toMatch(/pause \[ASK\] +✗ no scenario\n/);
    expect(ascii).toMatch(/limit max_handoffs +✗ no scenario\n/);
    expect(ascii).toContain("✓ a scenario shows it   ✗ none does");
    expect(draw("--format", "mermaid")).toMatch(/linkStyle [\d,]+ stroke:#b3261e/);
    expect(draw("--format", "dot")).toContain('color="#b3261e"');
    expect(draw("--format", "svg")).toContain('fill="#b3261e">✗ gate reject');
    expect(JSON.parse(draw("--json"))).toMatchObject({
      edges: expect.arrayContaining([expect.objectContaining({ from: "triage", to: "fixer", isCovered: true })]),
    });
  });
});

function errors(count: number, status: number) {
  return Array.from({ length: count }, () => ({ error: { status, message: "no" } }));
}
