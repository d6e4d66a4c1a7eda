import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInTerminal } from "./in-terminal.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

/** A title, a cleared screen, an 8-bit colour, a bell, a return over what stands there, text turned round; a tab and a line that stay. */
const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\rsafe\u202egnp\u2066\tone\ntwo";
const written = "\\x1b]0;owned\\x07\\x1b[2J\\u009b31m\\x0dsafe\\u202egnp\\u2066\tone\ntwo";
/** In the place of our own, which a terminal gets: cursor moves, modes and colours. */
const forbidden = ["\u001b]", "\u001b[2J\u009b", "\u009b", "\u0007", "\u202e", "\u2066", "owned\u0007"];

function desk(replies: readonly unknown[], routing = "", name = "desk") {
  return writeCrew({
    "package.json": "{}",
    "crew.yaml": `version: "2.0"\nname: ${name}\nagents: [a]\ntools: { send: ./send.mjs }\n${routing}`,
    "agents/a.md": "---\ndescription: d\ntools: [send]\n---\nWork. [ASK]",
    "send.mjs": `export const send = { needsApproval: true, execute: () => ${JSON.stringify(evil)} };`,
    "replies.yaml": JSON.stringify({ a: replies }),
  });
}

const script = ["--script", "replies.yaml"];
const asking = [{ tools: [{ name: "send", args: { text: evil } }] }, `Sent. ${evil}`];

function expectSafe(text: string): void {
  for (const sequence of forbidden) expect(text).not.toContain(sequence);
}

describe("a terminal", () => {
  it.each<[string, string[], Record<string, string>]>([
    ["in the live view", [], {}],
    ["that is dumb", [], { TERM: "dumb" }],
    ["with --verbose", ["--verbose"], {}],
    ["with --raw", ["--raw", "--verbose"], {}],
    ["with --events", ["--events"], {}],
  ])("%s never gets what models and tools write as escapes", async (_, options, env) => {
    const cwd = desk(asking);
    const home = { BATON_HOME: join(cwd, "home"), ...env };
    const keys = options.includes("--events") ? [] : ([["❯ ", "approve\r"]] as const);
    const ran = await runInTerminal(["run", ".", `Go ${evil}`, ...script, ...options], { cwd, env: home, keys });
    expect(ran.exitCode).toBe(keys.length === 0 ? 4 : 0);
    expect(ran.written).toContain("owned");
    expectSafe(ran.written);
  });

  it("gets none from runs that are kept, nor from errors", async () => {
    const cwd = desk([{ error: { status: 400, message: evil } }]);
    const env = { BATON_HOME: join(cwd, "home") };
    const failed = await runInTerminal(["run", ".", evil, ...script], { cwd, env });
    expect(failed.exitCode).toBe(1);
    const shows = [
      "runs",
      "show last",
      "show last --transcript",
      "show last --tree",
      "show last --events",
      "diagnose last",
    ];
    for (const command of shows) {
      const shown = await runInTerminal(command.split(" "), { cwd, env });
      expect(shown.exitCode).toBe(0);
      expectSafe(shown.written);
    }
    expectSafe(failed.written);
  });
});

describe("a pipe", () => {
  const cwd = desk([`It is ${evil}`]);
  const run = (...options: string[]) => runBaton(["run", ".", "Go", "--no-journal", ...script, ...options], { cwd });

  it("gets them written out, with tabs and line breaks as they are", () => {
    expect(run("--verbose").stdout).toBe(`It is ${written}\n`);
  });

  it("gets them as they are with --raw", () => {
    expect(run("--raw").stdout).toBe(`It is ${evil}\n`);
  });

  it("gets them escaped in JSON, which means the same", () => {
    const { stdout } = run("--json");
    expectSafe(stdout);
    expect(stdout).toContain("\\u001b]0;owned");
    expect(JSON.parse(stdout).output).toBe(`It is ${evil}`);
    const events = run("--events").stdout;
    expectSafe(events);
    expect(
      events
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type)
        .at(-1),
    ).toBe("run.completed");
    expect(run("--json", "--raw").exitCode).toBe(2);
  });
});

describe("what a tool prints", () => {
  const printing = `console.log("imported");
const execute = () => {
  process.stdout.write("part of it: ");
  process.stdout.write(Buffer.from(${JSON.stringify(`${evil}\n`)}));
  console.error(${JSON.stringify(evil)});
  return "sent";
};
export const send = { effect: "read", execute };`;
  const printed = `imported\npart of it: ${written}\n${written}\n`;

  function printingDesk() {
    const cwd = desk(asking);
    writeFileSync(join(cwd, "send.mjs"), printing);
    return cwd;
  }

  it("never stands in the answer, in events or in JSON: it goes to standard error, without escapes", () => {
    const cwd = printingDesk();
    const run = (...options: string[]) => runBaton(["run", ".", "Go", "--no-journal", ...script, ...options], { cwd });
    expect(run().stdout).toBe(`Sent. ${written}\n`);
    for (const options of [[], ["--verbose"], ["--json"], ["--events"]]) {
      const { stdout, stderr } = run(...options);
      expect(stdout).not.toContain("imported");
      expect(stderr).toContain(printed);
      if (options.includes("--json")) expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
      if (options.includes("--events")) for (const line of stdout.trim().split("\n")) JSON.parse(line);
    }
    expect(run("--raw").stderr).toContain(`part of it: ${evil}`);
  });

  it("reaches no terminal as escapes", async () => {
    const env = { TERM: "dumb" };
    const ran = await runInTerminal(["run", ".", "Go", "--no-journal", ...script], { cwd: printingDesk(), env });
    expect(ran.exitCode).toBe(0);
    expect(ran.written).toContain("part of it: \\x1b]0;owned");
    expectSafe(ran.written);
  });

  it("stays out of what `baton test` prints, where an agent is a function", () => {
    const cwd = writeCrew({
      "package.json": "{}",
      "crew.yaml": 'version: "2.0"\nname: glue\nagents: [step]\n',
      "agents/step.md": "---\ndescription: d\nrun: ./step.mjs\n---\n",
      "step.mjs": `export const step = () => { console.log(${JSON.stringify(evil)}); return "ok"; };`,
      "glue.scenario.yaml": "name: glue\nrun: .\ninput: go\nexpect: { output: ok }\n",
    });
    expect(runBaton(["test", "glue.scenario.yaml"], { cwd })).toEqual({
      exitCode: 0,
      stdout: "✓ glue\n1 passed, 0 failed\n",
      stderr: `${written}\n`,
    });
  });
});
