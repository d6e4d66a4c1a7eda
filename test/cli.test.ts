import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const misspelt = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"
name: quiz
agents: [teacher, student]
routing:
  signals:
    teacher:
      - { signal: "[QUESTION]", target: studnet }
settings: { max_handofs: 3 }
`,
  "agents/teacher.md": "---\ndescription: asks\n---\nAsk with [QUESTION].\n",
  "agents/student.md": "---\ndescription: answers\nmaxTurns: ten\n---\nAnswer.\n",
};

describe("baton check", () => {
  it("says where, what and what to do, for all problems at once, and exits 3", () => {
    const { exitCode, stdout } = runBaton(["check", "."], { cwd: writeCrew(misspelt) });
    expect(
      stdout,
    ).toBe(`agents/student.md:3:11  error  wrong-type  'maxTurns' must be a whole number of at least 1, got text 'ten'
   3 | maxTurns: ten
     |           ^^^

crew.yaml:7:41  error  unknown-target  signal '[QUESTION]' targets unknown agent 'studnet'
   7 |       - { signal: "[QUESTION]", target: studnet }
     |                                         ^^^^^^^ did you mean 'student'?

crew.yaml:8:13  warning  unknown-key  unknown key 'max_handofs'
   8 | settings: { max_handofs: 3 }
     |             ^^^^^^^^^^^ did you mean 'max_handoffs'?

2 errors, 1 warning in 2 files
`);
    expect(exitCode).toBe(3);
  });

  it("exits 0 for a crew with warnings only, and 3 for the same crew with --strict", () => {
    const { "crew.yaml": crew, ...agents } = misspelt;
    const folder = writeCrew({
      ...agents,
      "crew.yaml": crew.replace("studnet", "student").replace("settings: {", "settings: { on_no_signal: next,"),
      "agents/student.md": "---\ndescription: answers\n---\nAnswer.\n",
    });
    expect(runBaton(["check", folder])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("1 warning in 1 file"),
    });
    const strict = runBaton(["check", folder, "--strict"]);
    expect(strict.exitCode).toBe(3);
    expect(strict.stdout).toContain("error  missing-limit  strict mode needs 'settings.max_handoffs' to be given");
  });

  it.each([["--format", "json"], ["--json"]])("prints JSON with %s %s", (...flags) => {
    const { stdout, exitCode } = runBaton(["check", ".", ...flags], { cwd: writeCrew(misspelt) });
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      diagnostics: [
        { severity: "error", code: "wrong-type", file: "agents/student.md", line: 3, column: 11 },
        {
          code: "unknown-target",
          suggestion: "student",
          message: "signal '[QUESTION]' targets unknown agent 'studnet'; did you mean 'student'?",
        },
        { severity: "warning", code: "unknown-key", suggestion: "max_handoffs" },
      ],
    });
  });

  it("prints annotations for GitHub, escaped", () => {
    const { stdout } = runBaton(["check", ".", "--format", "github"], { cwd: writeCrew(misspelt) });
    expect(stdout).toContain("::error file=crew.yaml,line=7,col=41,title=unknown-target::signal '[QUESTION]' targets");
  });

  it("finds no problems in a crew that is in order", () => {
    const { stdout, exitCode } = runBaton(["check", "examples/quiz"], { cwd: root });
    expect(stdout).toBe("✓ quiz: 3 agents, 1 group, 3 bindings; no problems\n");
    expect(exitCode).toBe(0);
  });

  it("says that nothing is there, and exits 3", () => {
    const folder = writeCrew({ "notes.txt": "" });
    expect(runBaton(["check", "."], { cwd: folder })).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining("has no crew.yaml, no config/crew.yaml and no agent files"),
    });
  });

  it("keeps to --root", () => {
    const folder = writeCrew({
      "inside/crew.yaml": 'version: "2.0"\nname: x\nagents: [a]\nsub_crews: { lab: { config_path: ../lab } }\n',
      "inside/agents/a.md": "---\ndescription: d\n---\nWork.\n",
      "lab/crew.yaml": 'version: "2.0"\nname: lab\nagents: [b]\n',
      "lab/agents/b.md": "---\ndescription: d\n---\nWork.\n",
    });
    expect(runBaton(["check", join(folder, "inside"), "--root", folder])).toMatchObject({ exitCode: 0 });
    expect(runBaton(["check", join(folder, "inside"), "--root", join(folder, "inside")]).stdout).toContain(
      "outside-root",
    );
  });
});

describe("every command", () => {
  const commands = [...runBaton(["--help"]).stdout.matchAll(/^ {2}(\w+)(?:\|\w+)? \[options\]/gm)].map(
    ([, name = ""]) => name,
  );

  it.each(commands)("baton %s --help explains its arguments and shows an example and --json", (command) => {
    const { stdout, exitCode } = runBaton([command, "--help"]);
    const [, named = ""] = /^Usage: baton \w+ \[options\](.*)$/m.exec(stdout) ?? [];
    expect(exitCode).toBe(0);
    for (const [, name] of named.matchAll(/[<[](\w+)/g)) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, "m"));
    // What `baton mcp` writes is the protocol.
    if (command !== "mcp") expect(stdout).toContain("--json");
    expect(stdout).toMatch(new RegExp(`Example:\\n {2}baton ${command} `));
  });

  it("is in the help, with what exit codes mean", () => {
    expect(commands).toEqual(expect.arrayContaining(["run", "check", "test", "diagnose"]));
    expect(runBaton(["--help"]).stdout).toContain("Exit codes: 0 completed, 1 failed, 2 usage error");
  });

  it.each([
    [["chekc", "x"], "Did you mean check?"],
    [["check"], "missing required argument 'path'"],
    [["check", "x", "--stritc"], "Did you mean --strict?"],
    [["graph", "x", "--format", "pdf"], "Allowed choices are ascii, mermaid, dot"],
    [["check", "examples/quiz", "--root", "nowhere"], "There is no folder 'nowhere'."],
    [["schema", "crow"], "choose one of crew, agent, scenario"],
    [["feedback", "last", "fine"], "Allowed choices are good, bad"],
    ...["run x y", "resume last", "fork last --at 1"].map((words): [string[], string] => [
      [...words.split(" "), "--json", "--events"],
      "cannot be used with option '--json'",
    ]),
  ])("a mistyped one exits 2 and says what is possible: %j", (args, says) => {
    const { exitCode, stderr } = runBaton(args);
    expect(stderr).toContain(says);
    expect(exitCode).toBe(2);
  });

  it.each(["graph", "signals"])("baton %s of a broken crew says what is wrong on stderr and exits 3", (command) => {
    const { exitCode, stdout, stderr } = runBaton([command, "."], { cwd: writeCrew(misspelt) });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    expect(stderr).toContain("did you mean 'student'?");
  });
});

describe("a reader that closes the pipe early", () => {
  it.each([
    ["the errors of a broken crew", ["check", "."], 1, 3],
    ["one annotation after another", ["check", ".", "--format", "github"], 1, 3],
    ["what a command says besides", ["graph", "."], 2, 3],
    ["the help of a command", ["check", "--help"], 1, 0],
    ["a mistyped command", ["chekc"], 2, 2],
  ])("does not change the exit code: %s", async (_, args, descriptor, exitCode) => {
    expect(await runUnread(args, descriptor, writeCrew(misspelt))).toEqual({ exitCode, read: "" });
  });
});

describe("baton graph", () => {
  it.each([
    ["ascii", "    [QUESTION] ──▶ ask_round"],
    ["mermaid", 'n0 -->|"[QUESTION]"| n3'],
    ["dot", 'n0 -> n3 [label="[QUESTION]", style=solid];'],
  ])("draws as %s", (format, says) => {
    expect(runBaton(["graph", "examples/quiz", "--format", format], { cwd: root }).stdout).toContain(says);
  });

  it("gives boxes and arrows as JSON", () => {
    const { stdout } = runBaton(["graph", "examples/multi-team/master", "--json"], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({
      name: "master",
      crews: { "team-alpha": { nodes: [{ name: "researcher" }, {}] } },
    });
  });
});

describe("baton graph of a crew that calls another by two names", () => {
  const crew = (name: string, more: string) => `version: "2.0"\nname: ${name}\nagents: [a]\n${more}`;
  const files = {
    "crew.yaml": crew("top", "sub_crews: { lab: { config_path: ./lab }, spare: { config_path: ./lab } }\n"),
    "agents/a.md": "---\ndescription: d\n---\nWork.\n",
    "lab/crew.yaml": crew("lab", ""),
    "lab/agents/a.md": "---\ndescription: d\n---\nWork.\n",
  };

  it("gives its inside once as JSON, and then the way to it", () => {
    const { stdout } = runBaton(["graph", ".", "--json"], { cwd: writeCrew(files) });
    expect(JSON.parse(stdout).crews).toEqual({
      lab: { name: "lab", nodes: [expect.objectContaining({ name: "a" })], edges: [], crews: {} },
      spare: { drawnAs: ["lab"] },
    });
  });

  it("draws its inside once", () => {
    const { stdout } = runBaton(["graph", "."], { cwd: writeCrew(files) });
    expect(stdout).toContain("\ntop / spare (drawn above as top / lab)\n");
  });
});

describe("baton signals", () => {
  it("reports who emits what, where it leads, and what is never bound", () => {
    const { stdout } = runBaton(["signals", "examples/quiz"], { cwd: root });
    expect(stdout).toMatch(/^=== SIGNAL REGISTRY REPORT ===\nTotal Signals Registered: 11\n/);
    expect(stdout).toContain("--- terminate Signals (4) ---");
    expect(stdout).toContain("    teacher -> group ask_round");
    expect(stdout).toContain("    never bound");
  });

  it("gives the same as JSON", () => {
    const { signals } = JSON.parse(runBaton(["signals", "examples/quiz", "--json"], { cwd: root }).stdout);
    expect(signals).toContainEqual(
      expect.objectContaining({ name: "[END]", uses: [{ agent: "teacher", to: "reporter" }] }),
    );
  });
});

describe("baton schema", () => {
  it.each(["crew", "agent", "scenario"])("prints the JSON Schema of a %s", (kind) => {
    const { stdout } = runBaton(["schema", kind]);
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
    });
  });
});

/** Runs the command with nobody to read its stdout (1) or stderr (2); `read` is what the other of them says. */
async function runUnread(
  args: readonly string[],
  descriptor: number,
  cwd: string,
): Promise<{ readonly exitCode: unknown; readonly read: string }> {
  const bin = join(root, "bin/baton.js");
  const command = spawn(process.execPath, [bin, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [unread, other] = descriptor === 1 ? [command.stdout, command.stderr] : [command.stderr, command.stdout];
  // Closed long before Node is up in the other process, so that its first write already fails.
  unread.destroy();
  const closed = once(command, "close");
  let read = "";
  for await (const chunk of other) read += chunk;
  const [exitCode] = await closed;
  return { exitCode, read };
}
