import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runInTerminal } from "./in-terminal.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));

describe("baton run", () => {
  const demo = readFileSync(join(root, "examples/quiz/demo.script.yaml"), "utf8");
  // The demonstration takes the time that a model would.
  const script = join(writeCrew({ "replies.yaml": demo.replaceAll(/^ *latency_ms:.*\n/gm, "") }), "replies.yaml");

  it("prints the answer and nothing else", () => {
    const { stdout, stderr, exitCode } = runBaton(["run", "examples/quiz", "Start", "--script", script], { cwd: root });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(stdout).toMatch(/^Report of the exam\n[\s\S]*may go home\.\n$/);
  });

  it("says with --verbose which way it takes, in the words people look for", () => {
    const { stderr } = runBaton(["run", "examples/quiz", "Start", "--script", script, "--verbose"], { cwd: root });
    expect(stderr).toContain(
      "[SIGNAL-EVENT] Agent 'teacher' emitted '[QUESTION]' (exact) - The next question is put\n",
    );
    expect(stderr).toContain("[ROUTING] teacher -> reporter (signal: [END])\n");
    expect(stderr).toContain("[SIGNAL-SUCCESS] Agent 'teacher' routed to 'reporter' via signal [END]\n");
  });

  it("prints events as lines of JSON, and the result as JSON", () => {
    const events = runBaton(["run", "examples/quiz", "Start", "--script", script, "--events"], { cwd: root });
    const types = events.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type);
    expect([types.at(0), types.at(-1)]).toEqual(["run.started", "run.completed"]);
    const result = runBaton(["run", "examples/quiz", "Start", "--script", script, "--json"], { cwd: root });
    expect(JSON.parse(result.stdout)).toMatchObject({ status: "completed", finalAgent: "reporter", handoffs: 5 });
  });

  const solo = (settings: string) => ({
    "package.json": "{}",
    "crew.yaml": `version: "2.0"\nname: solo\nagents: [a, b]\n${settings}\n`,
    "agents/a.md": "---\ndescription: d\nmax_retries: 0\n---\nWork for {{who}}.\n",
    "agents/b.md": "---\ndescription: d\n---\nWork.\n",
    "replies.yaml": 'a: ["first"]\nb: ["second"]\n',
    "gated.yaml": "a: ['[FIRST]']\n",
    "failing.yaml": "a: [{ error: { status: 500, message: out of order } }]\n",
  });

  it.each([
    ["0 completed", "", "replies.yaml", 0, "second\n", ""],
    ["1 failed", "", "failing.yaml", 1, "", "error: the model of agent 'a' failed: script: out of order\n"],
    ["3 invalid", "settings: 3", "replies.yaml", 3, "", expect.stringContaining("wrong-type")],
    [
      "4 paused",
      "settings: { on_no_signal: pause }",
      "replies.yaml",
      4,
      "",
      expect.stringContaining("first\npaused (no_signal): a waits for an answer: baton resume run_"),
    ],
    [
      "4 paused, with the question where that is not the output",
      "routing: { signals: { a: [{ signal: '[FIRST]', target: b }] }, agent_behaviors: { a: { auto_route: false } } }",
      "gated.yaml",
      4,
      "",
      expect.stringMatching(
        /Agent 'a' wants to hand over to 'b' \(signal \[FIRST\]\)[\s\S]*paused \(gate\): a waits for an answer/,
      ),
    ],
    [
      "5 a limit",
      "settings: { max_handoffs: 0 }",
      "replies.yaml",
      5,
      "first\n",
      expect.stringMatching(/^stopped: reached max_handoffs/),
    ],
    [
      "5 a limit, which a quota is",
      "settings: { quotas: { max_llm_calls: 1 } }",
      "replies.yaml",
      5,
      "",
      "the run failed before it had an answer; its last output was:\nfirst\nerror: max_llm_calls of the run is 1: 1 used, this call may take 1\n",
    ],
  ])("exits with %s", (_, settings, script, exitCode, stdout, stderr) => {
    const cwd = writeCrew(solo(settings));
    expect(runBaton(["run", ".", "go", "--script", script], { cwd })).toEqual({ exitCode, stdout, stderr });
  });

  it("prints the warnings of a crew once, and again when they change", () => {
    const cwd = writeCrew({ ...solo("colour: red"), "other.txt": "" });
    const home = join(cwd, ".baton");
    const warnings = () => runBaton(["run", ".", "go", "--script", "replies.yaml"], { cwd, home }).stderr;
    expect(warnings()).toContain("warning: crew.yaml:4 unknown key 'colour'");
    expect(warnings()).toBe("");
    writeFileSync(join(cwd, "crew.yaml"), solo("color: red")["crew.yaml"]);
    expect(warnings()).toContain("unknown key 'color'");
    const unkept = ["run", ".", "go", "--script", "replies.yaml", "--no-journal"];
    expect(runBaton(unkept, { cwd, home }).stderr).toContain("unknown key 'color'");
  });

  it("does not tell to resume a run of which nothing is stored", async () => {
    const behaviors = "routing: { agent_behaviors: { a: { wait_for_signal: true } } }";
    const cwd = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"\nname: desk\nagents: [a]\n${behaviors}\n`,
      "agents/a.md": "---\ndescription: d\n---\nWork.\n",
      "replies.yaml": "a: [Which one?]\n",
    });
    const args = ["run", ".", "go", "--script", "replies.yaml", "--no-journal"];
    const { exitCode, stderr } = runBaton(args, { cwd });
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /paused \(wait_for_signal\): a waits for an answer\nrun \S+ is lost, since --no-journal stores/,
    );
    const shown = await runInTerminal(args, { cwd, keys: [["❯ ", "\r"]] });
    expect(shown.written).toContain("to give the run up: --no-journal stores nothing of it");
    expect(stderr + shown.written).not.toContain("resume");
  });

  it("says that a variable is in no prompt, and which was meant", () => {
    const cwd = writeCrew({ "a.md": "Work for {{customer}}.", "replies.yaml": "a: [done]\n" });
    const run = (pair: string) => runBaton(["run", "a.md", "go", "--script", "replies.yaml", "--var", pair], { cwd });
    expect(run("customer=Ann").stderr).toBe("");
    expect(run("custmer=Ann")).toMatchObject({
      exitCode: 0,
      stderr: "warning: --var custmer does nothing, since no prompt has {{custmer}}; did you mean 'customer'?\n",
    });
  });

  it("takes its input from a pipe, fills variables, and runs a lone agent file", () => {
    const cwd = writeCrew({ "a.md": "Work for {{who}}.", "replies.yaml": "a: [done]\n" });
    const args = ["run", "a.md", "--script", "replies.yaml", "--var", "who=Ann", "--events"];
    const { stdout, exitCode } = runBaton(args, { cwd, input: "piped in\n" });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('"input":"piped in"');
    expect(stdout).toContain('"stopReason":"answer"');
  });

  it("takes its input from a pipe that is slow and does not block", () => {
    const cwd = writeCrew({ "a.md": "Work.", "replies.yaml": "a: [done]\n" });
    const pipe = fileURLToPath(new URL("slow-pipe.py", import.meta.url));
    const command = [process.execPath, bin, "run", "a.md", "--script", "replies.yaml", "--events", "--no-journal"];
    const args = [pipe, "Start the ", "exäm\n", "--", ...command];
    const { stdout, stderr } = spawnSync("python3", args, { cwd, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain('"input":"Start the exäm"');
  });

  it("runs on script/<file> like on any other model", () => {
    const cwd = writeCrew(solo(""));
    expect(runBaton(["run", ".", "go", "--model", "script/replies.yaml"], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: "second\n",
    });
  });

  it("says what to do where there is no model", () => {
    const { exitCode, stderr } = runBaton(["run", ".", "x"], { cwd: writeCrew(solo("")) });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("agent 'a' has no model");
    expect(stderr).toContain("--model openai/");
    expect(stderr).toContain("the examples run offline");
    expect(stderr.trim().split("\n").length).toBeLessThan(24);
  });

  it.each([
    [["run", "examples/quiz", "x", "--var", "who"], "Write name=value."],
    [["run", "examples/quiz", "x", "--model", "gpt"], "'gpt' in --model is not a model's name"],
  ])("refuses what it does not understand: %j", (args, says) => {
    expect(runBaton(args, { cwd: root }).stderr).toContain(says);
  });
});

describe("Ctrl-C", () => {
  const files = {
    "package.json": "{}",
    "crew.yaml": 'version: "2.0"\nname: slow\nagents: [a, b, c]\n',
    ...Object.fromEntries(["a", "b", "c"].map((id) => [`agents/${id}.md`, "---\ndescription: d\n---\nWork.\n"])),
    "replies.yaml": "a: [first]\nb: [{ text: second, latency_ms: 1500 }]\nc: [third]\n",
    "endless.yaml": "a: [first]\nb: [{ text: second, latency_ms: 600000 }]\nc: [third]\n",
  };

  /** Runs in a process of its own, and interrupts it once its second agent's model was called. */
  async function interrupt(script: string, times: number) {
    const args = [bin, "run", ".", "go", "--script", script, "--events"];
    const child = spawn(process.execPath, args, { cwd: writeCrew(files), stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    let sent = 0;
    const send = () => {
      sent++;
      child.kill("SIGINT");
    };
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
      if (sent === 0 && stdout.includes('"model.called","path":"1/t0/m0"')) send();
    });
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
      if (sent < times && stderr.includes("stopping after this turn")) send();
    });
    const exitCode = await new Promise((done) => child.on("close", done));
    return {
      exitCode,
      stderr,
      events: stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    };
  }

  it("once lets the agent finish its turn", async () => {
    const { exitCode, stderr, events } = await interrupt("replies.yaml", 1);
    expect(stderr).toContain("stopping after this turn; press Ctrl-C again to stop at once");
    expect(events.filter(({ type }) => type === "agent.completed").map(({ agent }) => agent)).toEqual(["a", "b"]);
    expect(events.at(-1)).toMatchObject({ type: "run.cancelled" });
    expect(exitCode).toBe(130);
  });

  it("twice stops at once", async () => {
    const { exitCode, events } = await interrupt("endless.yaml", 2);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(["model.failed", "agent.failed", "run.cancelled"]);
    expect(exitCode).toBe(130);
  });
});

describe("baton test", () => {
  it("says why an answer of a scenario was refused, whether it passes or not", () => {
    const scenario = (status: string) => `name: refused ${status}
run: .
input: go
script: { a: ["first"] }
resume: [{ decision: approve }, { input: " " }]
expect: { status: ${status} }
`;
    const cwd = writeCrew({
      "crew.yaml": 'version: "2.0"\nname: x\nagents: [a]\nsettings: { on_no_signal: pause }\n',
      "agents/a.md": "A.",
      "good.scenario.yaml": scenario("paused"),
      "bad.scenario.yaml": scenario("completed"),
    });
    const { stdout } = runBaton(["test", "."], { cwd });
    const refused = "resume 1 was refused, and the run stayed paused: this pause expects 'input'";
    expect(stdout.split(refused)).toHaveLength(3);
    expect(stdout).toContain("resume 2 was refused, and the run stayed paused: the answer is empty");
    expect(stdout).toContain("1 passed, 1 failed");
  });

  it("plays scenarios and ends in how many passed and failed", () => {
    const { stdout, exitCode } = runBaton(["test", "examples/quiz"], { cwd: root });
    expect(stdout.trim().split("\n").at(-1)).toBe("7 passed, 0 failed");
    expect(exitCode).toBe(0);
  });

  it("shows what was expected and what came, and exits 1", () => {
    const scenario =
      'name: x\nrun: ./crew\nscript: { a: ["first"], b: ["second"] }\nexpect: { output: third, path: [a], stopResaon: x }\n';
    const files = Object.entries({
      "crew.yaml": 'version: "2.0"\nname: x\nagents: [a, b]\n',
      "agents/a.md": "A.",
      "agents/b.md": "B.",
    });
    const crew = Object.fromEntries(files.map(([name, text]) => [`crew/${name}`, text]));
    const misspelt = runBaton(["test", "."], { cwd: writeCrew({ "x.scenario.yaml": scenario, ...crew }) });
    expect(misspelt.stdout).toContain("unknown key 'stopResaon'; did you mean 'stop_reason'?");
    const cwd = writeCrew({ "x.scenario.yaml": scenario.replace(", stopResaon: x", ""), ...crew });
    const { stdout, exitCode } = runBaton(["test", "."], { cwd });
    expect(stdout).toContain('  output\n    expected  "third"\n    got       "second"\n');
    expect(stdout).toContain('  path\n    expected  ["a"]\n    got       ["a","b"]\n');
    expect(exitCode).toBe(1);
  });

  it("plays the words of a long run, which are more than a crew's file may hold", () => {
    const long = "word ".repeat(80_000);
    const files = { "crew.yaml": 'version: "2.0"\nname: x\nagents: [a]\n', "agents/a.md": "A." };
    const scenario = JSON.stringify({ files, script: { a: [long] }, expect: { output: long } });
    expect(runBaton(["test", "."], { cwd: writeCrew({ "x.scenario.yaml": scenario }) })).toMatchObject({
      stdout: expect.stringContaining("1 passed, 0 failed"),
      exitCode: 0,
    });
  });

  it("takes only what --filter names", () => {
    const { stdout } = runBaton(["test", "examples/quiz", "--filter", "INTERRUPTED", "--json"], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({ passed: 1, failed: 0 });
  });
});
