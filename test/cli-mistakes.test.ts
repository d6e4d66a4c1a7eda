import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
const cwd = writeCrew({
  "package.json": "{}",
  "desk/crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
  "desk/agents/a.md": "Work.\n",
  "replies.yaml": "a: [done]\n",
  "file.txt": "text",
});
const home = join(cwd, ".baton");

describe("a mistake on the command line", () => {
  beforeAll(() => {
    expect(runBaton(["run", "desk", "go", "--script", "replies.yaml"], { cwd, home }).exitCode).toBe(0);
  });

  it.each([
    ["a mistyped command", ["rnu", "desk"], 2, "(Did you mean run?)"],
    ["a mistyped option", ["run", "desk", "go", "--scrpt", "x"], 2, "(Did you mean --script?)"],
    ["a mistyped path", ["run", "dessk", "go"], 3, "dessk does not exist; did you mean 'desk'?"],
    ["a script that is not there", ["run", "desk", "go", "--script", "no.yaml"], 3, "no.yaml does not exist"],
    ["a run that is not there", ["show", "nope"], 1, "there is no run 'nope'; the newest are run_"],
    ["an agent that is not there", ["fork", "last", "--at", "0", "--prompt", "b=x"], 1, "there is no agent 'b'"],
    ["no input to rank for", ["suggest", "desk", "--input", " "], 2, "the input is empty"],
    ["a place that cannot be written", ["test", "--record", "last", "--out", "no/x.yaml"], 1, "say --out <file>"],
    ["a folder without scenarios", ["test", "desk"], 1, "there is no *.scenario.yaml in desk"],
  ])("is answered with what to do: %s", (_, args, exitCode, says) => {
    const failed = runBaton(args, { cwd, home });
    expect(failed.exitCode).toBe(exitCode);
    expect(failed.stderr).toContain(says);
    expect(failed.stderr).not.toContain("    at ");
  });

  it("in BATON_HOME says that it is no folder", () => {
    const failed = runBaton(["run", "desk", "go", "--script", "replies.yaml"], { cwd, home: join(cwd, "file.txt") });
    expect(failed).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("is not a folder; name another store with --store or BATON_HOME"),
    });
  });
});

describe("two answers to a changed crew", () => {
  it("are refused together", () => {
    expect(runBaton(["resume", "last", "--accept-changes", "--original"], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("cannot be used with option"),
    });
  });
});

describe("output that cannot be written", () => {
  it.skipIf(!existsSync("/dev/full"))("is an error", () => {
    const command = `"${process.execPath}" "${bin}" runs > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", command], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, BATON_HOME: home },
    });
    expect(status).toBe(1);
    expect(stderr).toContain("what was printed could not be written");
  });

  it.skipIf(!existsSync("/dev/full"))("on standard error ends the command too", () => {
    const { status, signal } = spawnSync(
      "sh",
      ["-c", `exec "${process.execPath}" "${bin}" show nothing 2> /dev/full`],
      {
        cwd,
        env: { ...process.env, BATON_HOME: home },
        killSignal: "SIGKILL",
        timeout: 15_000,
      },
    );
    expect({ status, signal }).toEqual({ status: 1, signal: null });
  });
});
