import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { png } from "./photo-crew.ts";
import { runBaton } from "./run-baton.ts";
import { sampleZip } from "./sample-files.ts";
import { writeCrew } from "./write-crew.ts";

const script = "desk: [It is broken.]\n";

function makeProject(): string {
  const folder = writeCrew({
    "baton.yaml": "",
    "crew.yaml": 'version: "2.0"\nname: office\nmodels: [openai/gpt-5]\nagents: [desk]\n',
    "agents/desk.md": "Look.",
    "replies.yaml": script,
    "log.txt": "disk full",
  });
  writeFileSync(join(folder, "photo.png"), png);
  return folder;
}

describe("baton run --file", () => {
  it("brings files that baton show lists and writes out, and a recording plays them again", () => {
    const cwd = makeProject();
    const files = ["--file", "photo.png", "--file", "log.txt", "--file", "./photo.png"];
    const ran = runBaton(["run", ".", "What is wrong?", ...files, "--script", "replies.yaml"], { cwd });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "It is broken.\n" });
    expect(runBaton(["show", "last"], { cwd }).stdout).toMatch(
      /files \(--save <folder> writes them\)\n {2}photo\.png \(image\/png, \d+ bytes\)\n {2}log\.txt \(text\/plain, 9 bytes\)/,
    );
    const saved = runBaton(["show", "last", "--save", "out"], { cwd });
    expect(saved.exitCode).toBe(0);
    expect(readdirSync(join(cwd, "out")).sort()).toEqual(["log.txt", "photo.png"]);
    expect(readFileSync(join(cwd, "out", "photo.png"))).toEqual(Buffer.from(png));
    expect(runBaton(["test", "--record", "last", "--out", "a.scenario.yaml"], { cwd }).exitCode).toBe(0);
    expect(runBaton(["test", "a.scenario.yaml"], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("1 passed"),
    });
  });

  it("writes over nothing and follows no link when it saves", () => {
    const cwd = makeProject();
    runBaton(["run", ".", "x", "--file", "photo.png", "--script", "replies.yaml"], { cwd });
    mkdirSync(join(cwd, "out"));
    symlinkSync(join(cwd, "elsewhere"), join(cwd, "out", "photo.png"));
    const saved = runBaton(["show", "last", "--save", "out"], { cwd });
    expect(saved).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("it exists already") });
    expect(existsSync(join(cwd, "elsewhere"))).toBe(false);
  });

  it.each([
    ["nothing.png", 2, "'.*nothing.png' cannot be read: there is no such file"],
    ["agents", 2, "'.*agents' is not a file"],
    ["http://127.0.0.1:1/x.png", 2, "is in a private network"],
    ["box.zip", 1, "'box.zip' \\(application/zip\\): none of them takes it, nor does any other model"],
  ])("says what is wrong with %s", (file, exitCode, message) => {
    const cwd = makeProject();
    writeFileSync(join(cwd, "box.zip"), sampleZip);
    const ran = runBaton(["run", ".", "x", "--file", file, "--script", "replies.yaml"], { cwd });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(new RegExp(message));
  });

  it("counts in a plan", () => {
    const cwd = makeProject();
    const read = (...files: string[]) =>
      JSON.parse(runBaton(["plan", ".", "x", "--json", ...files], { cwd }).stdout).worst.inputTokens;
    expect(read("--file", "photo.png")).toBeGreaterThanOrEqual(read() + 1600);
  });
});
