import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenarios } from "../src/scenario/run-scenarios.ts";
import { writeSuggestions } from "../src/scenario/suggest/write-suggestions.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const agents = {
  triage: "description: sorts",
  fixer: "description: fixes\nhandoff: { to: tester, when: { contains: broken } }\nmax_turns: 3\nllm_timeout: 20s",
  tester: "description: tests\nmax_tool_calls_per_turn: 2",
  boss: "description: decides",
  router: "description: routes\nrouter: { destinations: [fixer, { agent: boss, when: { contains: urgent } }] }",
  lister:
    "description: lists\noutput: { format: json, schema: { type: object, required: [plan], properties: { plan: { type: object, required: [steps], properties: { steps: { type: array, items: { type: string } } } } } } }",
  worker: "description: works",
  lead: "description: leads\nteam: { members: [ann, bob], supervisor: lead, member_max_turns: 2, supervisor_max_turns: 3 }",
  ann: "description: is ann",
  bob: "description: is bob",
  asker:
    "description: asks\nagents: [helper]\ntools: [lookup]\ntool_timeout: 3s\ncollaborations: [fixer, boss]\nparallel_handoffs: true",
  helper: "description: helps\nhandoff: worker",
  manager: "description: rules\nadvisors: [lawyer, helper]\nadvisor_timeout: 9s\nhandoff: lawyer",
  lawyer: "description: advises",
  maker: "description: makes\ncompose: true",
  caller: "description: calls\ndelegate: [lab]\nhandoff: { to: maker, when: { turns_over: 1 } }",
};

const crew = `version: "2.0"
name: works
entry_point: triage
agents: [${Object.keys(agents).join(", ")}]
sub_crews:
  lab: { config_path: ./lab, quotas: { max_tokens: 5000 } }
  spare: { config_path: ./spare }
  depot: { config_path: ./spare }
routing:
  signals:
    triage:
      - { signal: "[FIX]", target: fixer }
      - { signal: "[ASK]", type: pause, pause_timeout: 1h }
      - { signal: "[ALL]", target: round }
      - { signal: "[ANY]", target: race }
      - { signal: "[LAB]", target_crew: lab, on_error: [retry, fallback, continue], fallback_crew: spare, max_retries: 1, timeout_seconds: 60 }
      - { signal: "[BOTH]", target_crews: [lab, depot] }
      - { signal: "[TELL]", type: external }
      - { signal: "[CALL]", type: external, pause: true }
      - { signal: "[NEWS]", type: broadcast }
      - { signal: "[RETRY]", type: status }
      - { signal: "[ROUTE]", target: router }
      - { signal: "[LIST]", target: lister }
      - { signal: "[PLAN]", target: lead }
      - { signal: "[HELP]", target: asker }
      - { signal: "[RULE]", target: manager }
      - { signal: "[MAKE]", target: maker }
      - { signal: "[CREW]", target: caller }
      - { signal: "[DONE]", target: "" }
    lister: [{ signal: "[GO]", target: each }]
    boss: [{ signal: "[BACK]", target: triage }, { signal: "[STOP]", target: "" }]
  agent_behaviors:
    boss: { auto_route: false, pause_timeout: { after: 2h, then: reject } }
    tester: { wait_for_signal: true }
  parallel_groups:
    round: { agents: [fixer, tester], crews: [depot], wait_for_all: true, timeout_seconds: 5, next_agent: boss }
    race: { agents: [ann, bob], timeout_seconds: 5, next_agent: boss }
    each: { for_each: worker, items: $.plan.steps, max_items: 3, next_agent: boss }
settings:
  max_handoffs: 6
  max_rounds: 30
  timeout_seconds: 900
  max_input_size_kb: 2
  max_consecutive_errors: 2
  sub_crew_timeout_seconds: 30
  on_no_signal: repair
  quotas: { max_tokens: 100000, max_llm_calls: 40 }
`;

const files = {
  "package.json": "{}",
  "crew.yaml": crew,
  ...Object.fromEntries(Object.entries(agents).map(([id, keys]) => [`agents/${id}.md`, `---\n${keys}\n---\nWork.\n`])),
  ...Object.fromEntries(
    ["lab", "spare"].flatMap((name) => [
      [
        `${name}/crew.yaml`,
        `version: "2.0"\nname: ${name}\nentry_point: meter\nagents: [meter]\nsettings: { on_no_signal: stop }\n`,
      ],
      [`${name}/agents/meter.md`, "---\ndescription: measures\n---\nMeasure.\n"],
    ]),
  ),
  "scenarios/done.scenario.yaml": `name: done at once
run: ..
input: Hello
script: { triage: ["[DONE]"] }
tools: { lookup: { result: "1" } }
expect: { status: completed }
`,
};

describe("baton test --suggest", () => {
  it("finds a way to everything that a crew with all patterns can do; each scenario passes and stays unfilled", async () => {
    const folder = writeCrew(files);
    const written = await writeSuggestions(["."], { workingDirectory: folder });
    expect(written.flatMap(({ unreached }) => unreached)).toEqual([]);
    const { failed, coverage = [] } = await runScenarios(["."], { workingDirectory: folder, coverage: true });
    expect(failed).toBe(0);
    const items = coverage.flatMap((each) => each.items);
    expect(items.length).toBeGreaterThan(90);
    expect(items.filter(({ covered, unfilled }) => !covered && !unfilled)).toEqual([]);
    expect(items.filter(({ covered }) => covered).map(({ name }) => name)).toEqual(["binding triage [DONE]"]);
    expect(coverage.map(({ percent }) => percent)).toEqual([1, 0, 0]);
  });

  it("writes scripts that take the shortest way, and counts them once they are filled in", async () => {
    const folder = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"
name: line
entry_point: a
agents: [a, b, c]
routing:
  signals:
    a: [{ signal: "[SLOW]", target: b }, { signal: "[FAST]", target: c }]
    b: [{ signal: "[ON]", target: c }]
    c: [{ signal: "[END]", target: "" }]
  defaults: { a: "", b: "", c: "" }
`,
      "agents/a.md": "Say [SLOW] or [FAST].",
      "agents/b.md": "Say [ON].",
      "agents/c.md": "Say [END].",
      "all.scenario.yaml": `run: .
script: { a: ["[SLOW]"], b: ["[ON]"], c: ["no"] }
expect: { status: completed }
`,
    });
    const told = runBaton(["test", ".", "--suggest", "--min-coverage", "100"], { cwd: folder });
    expect(told.exitCode).toBe(1);
    expect(told.stderr).toContain("wrote todo-line-binding-a-fast.scenario.yaml, which shows: binding a [FAST]");
    expect(told.stdout).toMatch(/◌ binding c \[END\] +todo-line-binding-a-fast\.scenario\.yaml/);
    const text = readFileSync(join(folder, "todo-line-binding-a-fast.scenario.yaml"), "utf8");
    expect(text).toBe(`# Written by 'baton test --suggest' to show: binding a [FAST]
# It passes as it is. Replace each TODO, check what it expects, and delete 'unfilled': then it counts.
name: "TODO: say what must happen (binding a [FAST])"
unfilled: true
run: .
input: "TODO: the input"
script:
  a:
    - "TODO: what a says [FAST]"
  c:
    - "TODO: what c says [END]"
expect:
  status: completed
  stopReason: signal
  path:
    - a
    - c
`);
    for (const name of readdirSync(folder).filter((each) => each.startsWith("todo-"))) {
      const written = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name), written.replace("unfilled: true\n", ""));
    }
    expect(runBaton(["test", ".", "--min-coverage", "100"], { cwd: folder }).exitCode).toBe(0);
  });

  it("says to what no way leads, and which crews have no folder to write to", () => {
    const folder = writeCrew({
      "package.json": "{}",
      "crew.yaml": 'version: "2.0"\nname: lone\nagents: [a]\nsettings: { max_handoffs: 3 }\n',
      "agents/a.md": "Work.",
      "a.scenario.yaml": "run: .\nscript: { a: [x] }\nexpect: { status: completed }\n",
      "b.scenario.yaml": `files:
  crew.yaml: |
    version: "2.0"
    name: inline
    agents: [a]
    settings: { timeout_seconds: 5 }
  agents/a.md: Work.
script: { a: [x] }
expect: { status: completed }
`,
    });
    const { stderr, stdout } = runBaton(["test", ".", "--suggest"], { cwd: folder });
    expect(stderr).toContain("no scenario found for crew 'lone': limit max_handoffs");
    expect(stderr).toContain(
      "no scenario found for crew 'inline': limit timeout_seconds (the crew is written in a scenario",
    );
    expect(stdout).toContain("2 passed, 0 failed");
  });
});
