import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const asking = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"
name: asking
agents: [clerk, boss]
routing:
  signals: { clerk: [{ signal: "[ASK]", type: pause }, { signal: "[UP]", target: boss }] }
`,
  "agents/clerk.md": "---\ndescription: d\n---\nWrite [ASK] or [UP].\n",
  "agents/boss.md": "---\ndescription: d\nis_terminal: true\n---\nDecide.\n",
  "whole.yaml": 'clerk: ["Which one? [ASK]", "That one. [UP]"]\nboss: ["Granted."]\n',
  "other.yaml": 'clerk: ["Which one? [ASK]", "No. [UP]"]\nboss: ["Refused."]\n',
  "short.yaml": 'clerk: ["Which one? [ASK]", "That one. [UP]"]\n',
  "shortest.yaml": 'clerk: ["Which one? [ASK]"]\nboss: ["Granted."]\n',
  "twice.yaml": 'clerk: ["Which one? [ASK]", "And when? [ASK]", "Then. [UP]"]\nboss: ["Granted."]\n',
};

describe("a run that was given a script", () => {
  const start = (script: string) => {
    const cwd = writeCrew(asking);
    const baton = (...args: readonly string[]) => runBaton(args, { cwd, home: join(cwd, ".baton") });
    expect(baton("run", ".", "Start", "--script", script)).toMatchObject({ exitCode: 4 });
    return { cwd, baton };
  };

  it("has it again when it is resumed, from wherever that is asked", () => {
    const { cwd } = start("whole.yaml");
    const args = ["resume", "last", "the left one", "--root", cwd];
    expect(runBaton(args, { cwd: "/", home: join(cwd, ".baton") })).toMatchObject({
      exitCode: 0,
      stdout: "Granted.\n",
    });
  });

  it("takes another one where that is given, and remembers that one", () => {
    const { baton } = start("whole.yaml");
    expect(baton("resume", "last", "one", "--script", "twice.yaml")).toMatchObject({ exitCode: 4 });
    expect(baton("resume", "last", "two")).toMatchObject({ exitCode: 0, stdout: "Granted.\n" });
    expect(baton("replay", "last").exitCode).toBe(0);
  });

  it("has it again when it is forked, and a fork has its own", () => {
    const { baton } = start("whole.yaml");
    const { runId } = JSON.parse(baton("resume", "last", "one", "--json").stdout);
    expect(baton("fork", runId, "--at", "0", "--input", "Begin").stderr).toContain("Which one?\n");
    expect(baton("resume", "last", "one").stdout).toBe("Granted.\n");
    expect(baton("fork", runId, "--at", "0", "--script", "other.yaml").exitCode).toBe(4);
    expect(baton("resume", "last", "one").stdout).toBe("Refused.\n");
  });

  it.each([
    ["shortest.yaml", "1 reply for agent 'clerk', and this is its 2nd call"],
    ["short.yaml", "no replies for agent 'boss', only for clerk"],
  ])("stays paused where %s is too short for what follows", (script, why) => {
    const { baton } = start(script);
    const before = baton("show", "last", "--events", "--json").stdout;
    const refused = baton("resume", "last", "the left one");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(why) });
    expect(baton("show", "last", "--events", "--json").stdout).toBe(before);
    expect(baton("resume", "last", "the left one", "--script", "whole.yaml")).toMatchObject({ exitCode: 0 });
  });

  it("says which script is gone, and takes another", () => {
    const { cwd, baton } = start("whole.yaml");
    writeFileSync(join(cwd, "whole.yaml"), "clerk: 3\n");
    const { exitCode, stderr } = baton("resume", "last", "one");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `the run was given the script '${join(cwd, "whole.yaml")}', which cannot be used any more`,
    );
    expect(baton("resume", "last", "one", "--script", "other.yaml").stdout).toBe("Refused.\n");
  });

  it("can be cancelled without it", () => {
    const { cwd, baton } = start("whole.yaml");
    writeFileSync(join(cwd, "whole.yaml"), "[");
    expect(baton("cancel", "last").exitCode).toBe(0);
  });
});

describe("a run that was given models", () => {
  it("has them again when it is resumed", () => {
    const cwd = writeCrew(asking);
    const baton = (...args: readonly string[]) => runBaton(args, { cwd, home: join(cwd, ".baton") });
    expect(baton("run", ".", "Start", "--model", "script/whole.yaml").exitCode).toBe(4);
    expect(baton("resume", "last", "one")).toMatchObject({ exitCode: 0, stdout: "Granted.\n" });
  });
});

describe("an input that is empty", () => {
  const cwd = writeCrew(asking);
  const baton = (args: readonly string[], input = "") => runBaton(args, { cwd, input, home: join(cwd, ".baton") });

  it.each([
    ["an empty argument", ["run", ".", "", "--script", "whole.yaml"], ""],
    ["blanks", ["run", ".", " \t", "--script", "whole.yaml"], ""],
    ["nothing piped in", ["run", ".", "--script", "whole.yaml"], ""],
    ["only lines piped in", ["run", ".", "--script", "whole.yaml"], "\n \n"],
  ])("is a usage error: %s", (_, args, input) => {
    const { exitCode, stdout, stderr } = baton(args, input);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^error: the input is empty/);
  });

  it("is a usage error as an answer too, and the run stays paused", () => {
    baton(["run", ".", "Start", "--script", "whole.yaml"]);
    expect(baton(["resume", "last", " "])).toMatchObject({ exitCode: 2 });
    expect(baton(["fork", "last", "--at", "0", "--input", ""])).toMatchObject({ exitCode: 2 });
    expect(baton(["resume", "last", "one"])).toMatchObject({ exitCode: 0 });
  });
});
