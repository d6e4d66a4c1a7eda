import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openExistingSqliteStore, openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { createRunId, toRunId } from "../src/vocabulary/ids.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const reading: readonly (readonly string[])[] = [
  ["runs"],
  ["runs", "--jsonl", "--events"],
  ["show", "last"],
  ["show", "--conversation", "mine"],
  ["replay", "last"],
  ["stats"],
  ["stats", "--recount"],
  ["diagnose", "last"],
  ["graph", "--run", "last"],
  ["feedback", "last", "good"],
  ["resume", "last"],
  ["cancel", "last"],
  ["fork", "last", "--at", "1"],
  ["test", "--record", "last"],
  ["suggest", ".", "--agent", "a", "--input", "x"],
  ["signals", "."],
  ["check", "."],
  ["run", "no-such-crew", "hello"],
  ["run", ".", " "],
];

describe("commands that look at runs", () => {
  it.each(reading)("create nothing in an empty folder: %s %s %s", (...args) => {
    // A project of its own: what others have stored in folders above is not found.
    const project = writeCrew({ ".git/HEAD": "" });
    const cwd = join(project, "empty");
    mkdirSync(cwd);
    const { exitCode, stdout, stderr } = runBaton(args, { cwd, home: "" });
    expect(readdirSync(cwd)).toEqual([]);
    expect(readdirSync(project)).toEqual([".git", "empty"]);
    expect(stderr).not.toContain("    at ");
    expect(exitCode === 0 || stderr.startsWith("error: ") || (stdout + stderr).includes("not-found")).toBe(true);
  });

  it("rank the targets of a crew without making a store beside it", () => {
    const cwd = writeCrew({
      "crew.yaml":
        'version: "2.0"\nname: two\nagents: [a, b]\nrouting: { signals: { a: [{ signal: "[B]", target: b }] } }\n',
      "agents/a.md": "---\ndescription: d\n---\nWrite [B].\n",
      "agents/b.md": "---\ndescription: e\n---\nWork.\n",
    });
    const { exitCode } = runBaton(["suggest", ".", "--agent", "a", "--input", "x"], { cwd, home: "" });
    expect([exitCode, existsSync(join(cwd, ".baton"))]).toEqual([0, false]);
  });
});

describe("a store in a folder that cannot be written", () => {
  it("can be read, and says why nothing can be changed", async () => {
    // Not below the folder of the tests, which only its owner may enter.
    const folder = mkdtempSync("/tmp/baton-read-only-");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "journal.sqlite");
    const runId = createRunId("0");
    const store = await openSqliteStore(file);
    const lease = await store.take(runId, "me", 1000);
    const event = { seq: 0, id: `${runId}.0`, runId, ts: 0, path: "" } as const;
    await store.append(lease, [{ ...event, type: "run.started", data: { crew: "c", input: "i" } }]);
    await store.release(lease);
    await store.close();
    for (const [path, mode] of [
      [file, 0o444],
      [folder, 0o555],
    ] as const)
      chmodSync(path, mode);
    await unprivileged(async () => {
      const found = await openExistingSqliteStore(file);
      expect(await found?.list()).toMatchObject([{ runId }]);
      await expect(found?.take(runId, "me", 1000)).rejects.toMatchObject({ code: "store-read-only" });
      await found?.close();
      await expect(openSqliteStore(file)).rejects.toMatchObject({ code: "store-read-only" });
    });
    chmodSync(folder, 0o755);
    expect(readdirSync(folder)).toEqual(["journal.sqlite"]);
  });
});

describe.each(["v1", "v2", "v3", "v4", "v5"])("a journal of format %s in a folder that cannot be written", (format) => {
  it("can be read as it is", async () => {
    const folder = mkdtempSync("/tmp/baton-read-only-");
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "journal.sqlite");
    copyFileSync(new URL(`fixtures/journal/${format}.sqlite`, import.meta.url), file);
    for (const [path, mode] of [
      [file, 0o444],
      [folder, 0o555],
    ] as const)
      chmodSync(path, mode);
    await unprivileged(async () => {
      const store = await openExistingSqliteStore(file);
      expect(await store?.read(toRunId("run_done"))).toHaveLength(5);
      expect((await store?.stats())?.paths).toHaveLength(format === "v1" ? 0 : 1);
      const found = await store?.recall({ scope: "user/ada", by: { terms: ["tea"] }, limit: 1 });
      expect(found).toHaveLength(format === "v5" ? 1 : 0);
      await store?.close();
    });
    chmodSync(folder, 0o755);
    expect(readdirSync(folder)).toEqual(["journal.sqlite"]);
  });
});

/** Permissions do not hold for root. */
async function unprivileged(act: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
