import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCrew, openSqliteStore } from "../src/index.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { runBaton, startBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const cwd = writeCrew({
  "crew.yaml": `version: "2.0"
name: desk
agents: [triage, billing]
settings: { on_no_signal: next }
routing:
  signals:
    triage: [{ signal: "[BILLING]", target: billing }, { signal: "[DONE]", target: "" }]
    billing: [{ signal: "[DONE]", target: "" }, { signal: "[ASK]", type: pause }]
`,
  "agents/triage.md": "---\ndescription: reads\n---\nSay [BILLING] or [DONE].\n",
  "agents/billing.md": "---\ndescription: bills\nspecialties: [money]\n---\nSay [DONE] or [ASK].\n",
  "first.yaml": `triage: ["It is about money. [BILLING]"]\nbilling: ["Five euro. [DONE]"]\n`,
  "next.yaml": `billing: ["Still five. [DONE]"]\n`,
  "asks.yaml": `billing: ["Which? [ASK]", "That one. [DONE]"]\n`,
  "slow.yaml": `triage: [{ text: "At last. [DONE]", latency_ms: 600000 }]\n`,
  "brief.yaml": `triage: [{ text: "At last. [DONE]", latency_ms: 1500 }]\n`,
});
const baton = (...args: readonly string[]) => runBaton(args, { cwd });
const say = (session: string, script: string, ...words: readonly string[]) =>
  baton("run", ".", ...words, "--conversation", session, "--script", script);

describe("a conversation on the command line", () => {
  it("goes on from run to run, and is shown and exported", () => {
    expect(say("order-7", "first.yaml", "What", "was", "it?")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(say("order-7", "next.yaml", "Sure?")).toMatchObject({ exitCode: 0, stdout: "Still five.\n" });
    const { stdout } = baton("show", "--conversation", "order-7", "--json");
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      ...["current_agent", "session_start", "handoff_chain", "context"],
      ...["handoffs_enabled", "version", "domain", "last_classification_confidence"],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      current_agent: "billing",
      handoff_chain: [{ from: "triage", to: "billing", reason: "signal [BILLING]" }],
      context: { original_query: "What was it?", previous_work: "Still five." },
      domain: "money",
    });
    const shown = baton("show", "--conversation", "order-7").stdout;
    expect(shown).toMatch(/^billing has the conversation\n/);
    expect(shown).toMatch(/you .*\nWhat was it\?\n\nbilling {2}triage → billing\nFive euro/);
    expect(baton("show", "last").stdout).toContain("conversation  order-7, run 2 of it");
  });

  it("waits for the answer to a pause, which a resume gives", () => {
    say("order-8", "first.yaml", "What was it?");
    expect(say("order-8", "asks.yaml", "And the other?").exitCode).toBe(4);
    const refused = say("order-8", "next.yaml", "Hello?");
    const [, runId = ""] = /baton resume (run_\w+)/.exec(refused.stderr) ?? [];
    expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("is paused") });
    expect(baton("show", "--conversation", "order-8").stdout).toContain(`To answer: baton resume ${runId}`);
    expect(baton("resume", runId, "the left", "--script", "asks.yaml").stdout).toBe("That one.\n");
    expect(say("order-8", "next.yaml", "Hello?").exitCode).toBe(0);
    expect(baton("replay", "last").stdout).toMatch(/all the same/);
  });

  it("is taken by one of two processes that come at once", async () => {
    const start = () => startBaton(["run", ".", "Go", "--conversation", "race", "--script", "brief.yaml"], cwd);
    const exitCodes = await Promise.all([start(), start(), start()]);
    expect(exitCodes.sort()).toEqual([0, 1, 1]);
    expect(JSON.parse(baton("runs", "--conversation", "race", "--json").stdout).runs).toHaveLength(1);
  });

  it("says that a run of it was killed, and how to go on", async () => {
    const home = join(mkdtempSync(join(tmpdir(), "baton-killed-")), "home");
    const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
    const args = ["run", ".", "Go", "--conversation", "t", "--script", "slow.yaml", "--events"];
    const env = { ...process.env, BATON_HOME: home };
    const started = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    const [line] = await once(createInterface({ input: started.stdout }), "line");
    const { runId } = JSON.parse(line);
    const store = await openSqliteStore(join(home, "journal.sqlite"), { clock: { now: () => Date.now() + 60_000 } });
    for await (const { type } of store.tail(runId, 0, new AbortController().signal)) if (type === "model.called") break;
    started.kill("SIGKILL");
    await once(started, "exit");
    const crew = await loadCrew(cwd, { store, script: readScript(join(cwd, "brief.yaml")) });
    await expect(crew.conversation("t").run("Again")).rejects.toMatchObject({ code: "conversation-interrupted" });
    expect(await crew.recover(runId).result).toMatchObject({ status: "completed" });
    expect(await crew.conversation("t").state()).toMatchObject({ current_agent: "triage" });
    for (const name of readdirSync(home)) expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    await store.close();
  });

  it.each([
    [["run", ".", "x", "--conversation", "a b"], /cannot be the id of a conversation/],
    [["run", ".", "x", "--conversation", "a", "--no-journal"], /either --conversation or --no-journal/],
    [["show"], /either a run or --conversation/],
    [["show", "last", "--conversation", "a"], /either a run or --conversation/],
    [["show", "--conversation", "a", "--tree"], /cannot be used with option '--tree'/],
    [["runs", "--events"], /--events goes with --jsonl/],
    [["runs", "--json", "--jsonl"], /cannot be used with option '--jsonl'/],
    [["runs", "--conversation", "a/b"], /cannot be the id of a conversation/],
  ])("%j is a slip of the pen", (args, words) => {
    expect(baton(...args)).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringMatching(words) });
  });

  it("says so where the agent that had it is gone, and goes on at the entry point", () => {
    say("order-11", "first.yaml", "What was it?");
    const smaller = writeCrew({
      "crew.yaml": `version: "2.0"\nname: desk\nagents: [triage]\n`,
      "agents/triage.md": "---\ndescription: reads\n---\nAnswer.\n",
      "script.yaml": "triage: [Here I am.]\n",
    });
    const args = ["run", ".", "Hello?", "--conversation", "order-11", "--script", "script.yaml"];
    expect(runBaton(args, { cwd: smaller })).toMatchObject({
      exitCode: 0,
      stdout: "Here I am.\n",
      stderr: expect.stringMatching(/^agent 'billing', who had the conversation, is not in the crew any more/),
    });
  });

  it("that is not there is not made up", () => {
    say("order-9", "first.yaml", "What was it?");
    for (const command of ["show", "runs"])
      expect(baton(command, "--conversation", "ordr-9")).toMatchObject({
        exitCode: 1,
        stderr: "error: there is no conversation 'ordr-9'; did you mean 'order-9'?\n",
      });
  });

  it("is named by --session as well", () => {
    say("order-12", "first.yaml", "What was it?");
    const named = (option: string) => baton("show", option, "order-12", "--json").stdout;
    expect(named("--session")).toBe(named("--conversation"));
  });

  it("cannot be recorded as a scenario but for its first run", () => {
    say("order-10", "first.yaml", "What was it?");
    expect(baton("test", "--record", "last", "--out", "first.scenario.yaml").exitCode).toBe(0);
    say("order-10", "next.yaml", "Sure?");
    expect(baton("test", "--record", "last", "--out", "next.scenario.yaml")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("continues a conversation"),
    });
  });
});

describe("the events of many runs", () => {
  it("come as lines of JSON, those of the oldest run first, for the runs that are asked for", () => {
    say("log", "first.yaml", "What was it?");
    say("log", "next.yaml", "Sure?");
    const lines = baton("runs", "--conversation", "log", "--events", "--jsonl").stdout.trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    const starts = events.filter(({ type }) => type === "run.started");
    expect(starts.map(({ data }) => data.input)).toEqual(["What was it?", "Sure?"]);
    expect(events.filter(({ type }) => type === "handoff")).toHaveLength(1);
    const newest = baton("runs", "--conversation", "log", "--events", "--jsonl", "--limit", "1").stdout;
    expect(JSON.parse(newest.split("\n")[0] ?? "").data.input).toBe("Sure?");
    expect(baton("runs", "--crew", "nobody", "--events", "--jsonl")).toMatchObject({ exitCode: 0, stdout: "" });
    const runs = baton("runs", "--conversation", "log", "--jsonl").stdout.trimEnd().split("\n");
    expect(runs.map((line) => JSON.parse(line).input)).toEqual(["Sure?", "What was it?"]);
  });
});
