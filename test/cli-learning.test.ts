import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type StatsOptions, stats } from "../src/cli/stats-command.ts";
import type { HandoffRecord } from "../src/journal/handoff-record.ts";
import { completed, manyEvents } from "../src/testing/store-cases/case-tools.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { runInTerminal } from "./in-terminal.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { agentFiles } from "./load-written-crew.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const runId = toRunId("run_first");

function record(seq: number, given: Partial<HandoffRecord>): HandoffRecord {
  const path = { crew: "desk", from: "triage", to: "billing", via: "router" } as const;
  const figures = { at: 1000, isSuccess: true, costUsd: 0.25, ms: 1500, loop: undefined, unmatched: undefined };
  return { ...path, seq, ...figures, ...given };
}

async function storeWith(...records: readonly HandoffRecord[]) {
  const store = await keepRuns({ [runId]: [...manyEvents(3), completed(3)] });
  await store.learn(runId, records);
  return store;
}

const some = [
  record(0, { from: undefined, to: "triage", via: "entry", unmatched: "low_confidence" }),
  record(1, {}),
  record(2, { isSuccess: false }),
  record(3, {
    from: "billing",
    to: "triage",
    loop: "triage > billing > triage",
    isSuccess: undefined,
    costUsd: undefined,
  }),
];

describe("baton stats", () => {
  it("shows paths, agents, loops and unmatched inputs", async () => {
    const store = await storeWith(...some);
    const { output, exitCode } = await printed((terminal) => stats({}, terminal, store, 90_000_000));
    expect(exitCode).toBe(0);
    expect(output.replaceAll(/ +$/gm, "")).toBe(`Paths
from     to       via     handoffs  success  95 % sure     cost  time
triage   billing  router         2     50 %  9–91       $0.2500  1.5s
(start)  triage   entry          1    100 %  21–100     $0.2500  1.5s
billing  triage   router         1        –             unknown  1.5s

Agents, groups and crews that received handoffs
name     handoffs  success  95 % sure     cost  time
billing         2     50 %  9–91       $0.2500  1.5s
triage          2    100 %  21–100     unknown  1.5s

Loops
loop                       handoffs  success  95 % sure
triage > billing > triage         1        –

Unmatched inputs: no agent seems to fit them
when         why                      run        input
01-01 00:00  no agent fitted clearly  run_first  hello
`);
  });

  it("names crews where there are several, and fits into a narrow terminal", async () => {
    const store = await storeWith(...some, record(9, { crew: "desk/lab" }));
    const { output } = await printed((terminal) => stats({}, terminal, store), 40);
    expect(output).toContain("desk/lab");
    expect(Math.max(...output.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
    const narrowed = await printed((terminal) => stats({ crew: "desk/lab" }, terminal, store));
    expect(narrowed.output).not.toContain("triage  entry");
  });

  it.each([
    ["mermaid", ['c0n0 -->|"1 · 100 %"| c0n1', "linkStyle 0 stroke:#ef8a62,stroke-width:8.0px"]],
    ["dot", ['label="2 · 50 %", penwidth=8.0, color="#ef8a62"', "shape=plaintext"]],
  ] as const)("draws paths as %s", async (format, parts) => {
    const store = await storeWith(...some);
    const { output } = await printed((terminal) => stats({ format }, terminal, store));
    for (const part of parts) expect(output).toContain(part);
  });

  it("draws names that mean something to the drawing", async () => {
    const store = await storeWith(record(1, { to: `<b>&"x"]\\` }));
    const drawn = async (format: "dot" | "mermaid") =>
      (await printed((terminal) => stats({ format }, terminal, store))).output;
    expect(await drawn("dot")).toContain('label="<b>&\\"x\\"]\\\\"');
    expect(await drawn("mermaid")).toContain('["#60;b#62;#38;#34;x#34;]');
  });

  it("gives the figures as JSON, forgets and counts again", async () => {
    const store = await storeWith(...some);
    const json = await printed((terminal) => stats({ json: true }, terminal, store));
    const figures = JSON.parse(json.output);
    expect(figures).toMatchObject({ paths: [{ handoffs: 2 }, {}, {}], loops: [{}], unmatchedInputs: [{}] });
    expect(figures.paths[0].success).toEqual({
      expected: expect.any(Number),
      low: expect.any(Number),
      high: expect.any(Number),
    });
    expect(figures.agents[0]).toMatchObject({
      to: figures.paths[0].to,
      handoffs: 2,
      success: figures.paths[0].success,
    });
    expect(figures.loops[0]).toHaveProperty("success");
    const forgotten = await printed((terminal) => stats({ forget: true, to: "billing" }, terminal, store));
    expect(forgotten.output).toBe("2 handoffs forgotten; --recount counts those of stored runs again\n");
    const counted = await printed((terminal) => stats({ recount: true, json: true }, terminal, store));
    expect(counted.output).toBe('{"counted":0}\n');
  });

  it("says when there are more loops and unmatched inputs than it shows", async () => {
    const store = await storeWith(
      ...Array.from({ length: 22 }, (_, seq) => record(seq + 1, { unmatched: "feedback" })),
    );
    const shown = async (options: StatsOptions) => printed((terminal) => stats(options, terminal, store));
    expect((await shown({})).notes).toBe(
      "only 20 loops and 20 unmatched inputs are shown; show more with --limit 100\n",
    );
    expect((await shown({ limit: 22 })).notes).toBe("");
    expect(JSON.parse((await shown({ json: true })).output).unmatchedInputs).toHaveLength(22);
    expect(JSON.parse((await shown({ json: true, limit: 3 })).output).unmatchedInputs).toHaveLength(3);
  });

  it("says what to do where nothing is known", async () => {
    const empty = await printed(async (terminal) => stats({ crew: "x" }, terminal, await keepRuns({})));
    expect(empty.notes).toBe("there are no runs of crew 'x' yet; start one with baton run\n");
    const old = await printed(async (terminal) => stats({}, terminal, await storeWith()));
    expect(old.notes).toBe("no handoffs are counted yet; --recount counts those of 1 run\n");
  });
});

describe("who begins, where that is left open", () => {
  const agents = ["general", "billing", "accounts"];
  const about = {
    general: "description: anything else",
    billing: "specialties: [invoice, refund]",
    accounts: "specialties: [invoice, login]",
  };
  const project = (settings: string) =>
    writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"\nname: desk\nentry_point: auto\nagents: [${agents}]\nsettings: { ${settings} }\n`,
      ...agentFiles(about),
      "replies.yaml": agents.map((agent) => `${agent}: [${agent} is here]\n`).join(""),
    });
  /** Runs the command in a project, on the runs that are kept in it. */
  const inProject =
    (cwd: string) =>
    (...args: readonly string[]) =>
      runBaton(args, { cwd, home: join(cwd, ".baton") });
  const settings = "on_no_signal: stop, min_confidence: 0";

  it("is one that did better, where words do not decide", () => {
    const baton = inProject(project(settings));
    const begins = (input: string) => baton("run", ".", input, "--script", "replies.yaml", "--verbose");
    expect(begins("my invoice").stdout).toBe("billing is here\n");
    baton("feedback", "last", "bad");
    const { stdout, stderr } = begins("my invoice");
    expect(stdout).toBe("accounts is here\n");
    expect(stderr).toMatch(
      /accounts begins \(confidence 0\.\d+, invoice, instead of billing, because of earlier runs\)/,
    );
    const started = JSON.parse(baton("show", "last", "--events", "--json").stdout.split("\n", 1)[0] ?? "");
    expect(started.data.began).toEqual([{ agent: "billing", runs: 1, successes: 0 }]);
    // What words say clearly stands, however badly it went before.
    for (let run = 0; run < 3; run++) {
      expect(begins("a refund").stdout).toBe("billing is here\n");
      baton("feedback", "last", "bad");
    }
    // What was known then is what counts when a run is replayed.
    expect(baton("replay", started.runId)).toMatchObject({ exitCode: 0 });
    baton("stats", "--forget");
    expect(begins("my invoice").stdout).toBe("billing is here\n");
  });

  it("is found by words alone where nothing is to be learned", () => {
    const baton = inProject(project(`${settings}, learning: off`));
    const begins = () => baton("run", ".", "my invoice", "--script", "replies.yaml").stdout;
    expect(begins()).toBe("billing is here\n");
    baton("feedback", "last", "bad");
    expect(begins()).toBe("billing is here\n");
    expect(baton("show", "last", "--events", "--json").stdout).not.toContain("began");
  });
});

describe("stats, suggest and feedback of a project", () => {
  const files = {
    "package.json": "{}",
    "crew.yaml": 'version: "2.0"\nname: desk\nagents: [triage, billing, repairs]\n',
    "agents/triage.md":
      "---\n# the first is asked first\nhandoff_targets: [billing, repairs] # and no other\n---\nSort.\n",
    "agents/billing.md": "---\ndescription: invoices and refunds\nis_terminal: true\n---\nBill.\n",
    "agents/repairs.md": "---\ndescription: broken machines\nis_terminal: true\n---\nRepair.\n",
    "replies.yaml": 'triage: ["hm"]\nbilling: ["no idea"]\n',
  };
  const cwd = writeCrew(files);
  const env = { BATON_HOME: join(cwd, ".baton") };
  const baton = (...args: readonly string[]) => runInTerminal(args, { cwd, env });

  it("rank by descriptions where nothing has been learned yet, and say so", () => {
    const suggested = (...args: readonly string[]) =>
      runBaton(["suggest", ".", ...args], { cwd, home: join(cwd, ".nothing") }).stdout.replaceAll(/ +$/gm, "");
    expect(suggested("--agent", "triage", "--input", "the machine is broken")).toBe(
      `handoffs from triage, for the input: the machine is broken
Nothing has been learned yet: the ranking compares the input with their descriptions.
    to       fit by description
1.  repairs  best
2.  billing  none: they share no word
`,
    );
    expect(suggested()).toBe(`first agent, for any input
Nothing has been learned yet: give an --input to rank the agents by their descriptions.
    to
1.  triage
2.  billing
3.  repairs
`);
  });

  it("count what a run and a person say", async () => {
    await baton("run", ".", "the machine is broken", "--script", "replies.yaml");
    await baton("feedback", "last", "bad", "wrong department");
    const { written, exitCode } = await baton("stats", ".");
    expect(exitCode).toBe(0);
    expect(written).toMatch(/triage\s+billing\s+fallback\s+1\s+0 %/);
    expect(written).toContain("feedback: bad");
  });

  it("rank targets, and put the order into the file only when told so", async () => {
    const file = join(cwd, "agents/triage.md");
    const args = ["suggest", ".", "--agent", "triage", "--input", "the machine is broken", "--save"];
    const piped = runBaton(args, { cwd, home: env.BATON_HOME });
    expect(piped.exitCode).toBe(1);
    expect(piped.stdout).toMatch(/1\. {2}repairs .*its description fits/);
    expect(piped.stderr).toContain("+ handoff_targets: repairs, billing\nnothing was written");
    const refused = await runInTerminal(args, { cwd, env, keys: [["❯ ", "\r"]] });
    expect(refused.written).toContain("nothing was written");
    expect(readFileSync(file, "utf8")).toBe(files["agents/triage.md"]);
    const mode = statSync(file).mode;
    const written = await runInTerminal(args, { cwd, env, keys: [["❯ ", "y\r"]] });
    expect(written.exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(files["agents/triage.md"].replace("billing, repairs", "repairs, billing"));
    expect(statSync(file).mode).toBe(mode);
    const again = await baton(...args);
    expect(again.written).toContain("is in this order already");
    writeFileSync(file, files["agents/triage.md"]);
  });

  it("refuse what makes no sense", () => {
    expect(runBaton(["suggest", ".", "--agent", "triagge"], { cwd }).stderr).toContain("did you mean 'triage'?");
    expect(runBaton(["suggest", ".", "--save"], { cwd })).toMatchObject({ exitCode: 2 });
    expect(runBaton(["suggest", ".", "--agent", "billing", "--save"], { cwd }).stderr).toContain(
      "there is nothing to save",
    );
    expect(runBaton(["suggest", "./nowhere"], { cwd })).toMatchObject({ exitCode: 3 });
    expect(runBaton(["stats", "./nowhere"], { cwd })).toMatchObject({ exitCode: 3 });
    expect(runBaton(["patterns", "./nowhere"], { cwd }).stderr).toContain(
      "'baton patterns' is another name of 'baton stats'",
    );
    expect(runBaton(["stats", "./nowhere"], { cwd }).stderr).not.toContain("patterns");
    expect(runBaton(["stats", "--since", "tuesday"], { cwd })).toMatchObject({ exitCode: 2 });
    expect(runBaton(["stats", "--forget", "--recount"], { cwd })).toMatchObject({ exitCode: 2 });
  });
});
