import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { completed, paused, started, write } from "../src/testing/store-cases/case-tools.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { newSchema } from "./postgres-server.ts";
import { runBaton } from "./run-baton.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const quiz = ["run", "examples/quiz", "Start the exam", "--script", "examples/quiz/demo.script.yaml"];

function baton(...args: readonly string[]) {
  return runBaton(args, { cwd: root });
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "baton-store-"));
}

/** A folder with four runs: two that ended and one that waits, long ago, and one that ended now. */
async function writeOldRuns(): Promise<string> {
  const folder = newFolder();
  const store = await openSqliteStore(join(folder, "journal.sqlite"));
  for (const [id, ts, last] of [
    ["run_a", 1000, completed],
    ["run_b", 2000, completed],
    ["run_c", 3000, paused],
    ["run_d", Date.now(), completed],
  ] as const) {
    const runId = toRunId(id);
    const end = { ...last(1, runId), ts };
    await store.release(await write(store, [started(id, { runId, ts }), end], runId));
  }
  await store.close();
  return folder;
}

describe("--store", () => {
  it("names a PostgreSQL database, for every command", async () => {
    const { url, query, name } = await newSchema();
    const secret = url.replace("postgres@localhost", "postgres:very-hidden-word@localhost");
    const ran = baton(...quiz, "--store", secret, "--verbose");
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Report of the exam") });
    const [stored] = JSON.parse(baton("runs", "--json", "--store", secret).stdout).runs;
    expect(stored).toMatchObject({ crew: "quiz", status: "completed" });
    const shown = baton("show", "last", "--events", "--store", secret);
    expect(shown.exitCode).toBe(0);
    expect(baton("replay", "last", "--store", secret)).toMatchObject({ exitCode: 0 });
    expect(baton("stats", "--store", secret)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("teacher"),
    });
    const texts = await query(`SELECT text FROM ${name}.events`);
    for (const text of [ran.stdout, ran.stderr, shown.stdout, JSON.stringify(texts)])
      expect(text).not.toContain("very-hidden-word");
  });

  it("names a folder, as BATON_STORE does", () => {
    const folder = join(newFolder(), "runs");
    expect(baton(...quiz, "--store", folder).exitCode).toBe(0);
    expect(existsSync(join(folder, "journal.sqlite"))).toBe(true);
    expect(baton("runs", "--store", folder).stdout).toContain("quiz");
    expect(baton("runs", "--store", join(folder, "journal.sqlite")).stdout).toContain("quiz");
  });

  it("says what is wrong with a store, and what to do", async () => {
    const down = baton("runs", "--store", "postgres://anna:hidden-word@nowhere.invalid/x");
    expect(down).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/postgres:\/\/anna@nowhere\.invalid.*no such host/),
    });
    expect(down.stderr).not.toContain("hidden-word");
    const other = baton("runs", "--store", "mysql://anna:hidden-word@localhost/x");
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("got mysql://…") });
    expect(other.stderr).not.toContain("hidden-word");
    const { url } = await newSchema();
    expect(baton("runs", "--store", url, "--schema", "No-Schema")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("'No-Schema' cannot be the schema of a store"),
    });
  });

  it("says what to install where the driver is missing", () => {
    const hide = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name !== "pg") return next(name, context);
        throw Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
      } });`;
    const nodeArgs = ["--import", `data:text/javascript,${encodeURIComponent(hide)}`];
    const { exitCode, stderr } = runBaton(["runs", "--store", "postgres://anna@localhost/x"], { cwd: root, nodeArgs });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("npm install pg@8") });
  });
});

describe("baton store", () => {
  it("copies a store into a database, and checks both", async () => {
    const folder = newFolder();
    const { url } = await newSchema();
    expect(baton(...quiz, "--store", folder).exitCode).toBe(0);
    const copied = baton("store", "copy", folder, url);
    expect(copied).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^1 run, .* are in both stores, and verified\./),
    });
    expect(baton("store", "copy", folder, url).stdout).toContain("1 run was there already");
    expect(baton("replay", "last", "--store", url).exitCode).toBe(0);
    for (const store of [folder, url])
      expect(baton("store", "check", store)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^1 run, \d+ events, .*\nNo problems found\.\n$/),
      });
  });

  it("names stores that are not there, and refuses to copy one into itself", () => {
    const folder = newFolder();
    for (const args of [
      ["check", folder],
      ["copy", folder, join(folder, "other")],
    ])
      expect(baton("store", ...args)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("there is no store in"),
      });
    expect(existsSync(join(folder, "journal.sqlite"))).toBe(false);
    expect(baton("store", "copy", folder, `${folder}/`)).toMatchObject({ exitCode: 2 });
  });

  it("says which damage it found", async () => {
    const { url, query, name } = await newSchema();
    expect(baton(...quiz, "--store", url).exitCode).toBe(0);
    await query(`DELETE FROM ${name}.events WHERE seq = 2`);
    expect(baton("store", "check", url)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/error: .*event 2 .*is missing/),
    });
  });

  it("prunes old runs, and says which before it deletes them", async () => {
    const folder = await writeOldRuns();
    const prune = (...args: readonly string[]) =>
      baton("store", "prune", "--store", folder, "--before", "90d", ...args);
    const asked = prune();
    expect(asked.stdout).toMatch(/run_a[\s\S]*run_b[\s\S]*run_c/);
    expect(asked.stdout).not.toContain("run_d");
    expect(asked.stderr).toBe(
      "3 runs would be deleted. 1 of them waits for an answer (--keep-paused keeps it). Add --yes to delete.\n",
    );
    expect(prune("--keep-paused", "--yes").stdout).toBe("Deleted 2 runs.\n");
    const left = JSON.parse(baton("runs", "--json", "--store", folder).stdout).runs;
    expect(left.map(({ runId }: { readonly runId: string }) => runId)).toEqual(["run_d", "run_c"]);
    expect(baton("delete", "--log", "--store", folder).stdout).toMatch(/deleted old runs before .* with 2 runs/);
    expect(prune("--keep-paused").stdout).toBe("No runs are that old.\n");
    expect(baton("store", "prune", "--store", folder)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--before"),
    });
    expect(baton("store", "prune", "--before", "90")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("90d"),
    });
  });
});
