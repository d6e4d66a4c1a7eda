import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, said, started, write } from "../testing/store-cases/case-tools.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-commits-"));
  file = join(folder, "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a run that is alone", () => {
  it("leaves timers their turn", async () => {
    const store = await openSqliteStore(file);
    const lease = await write(store, [started()]);
    let isRung = false;
    setTimeout(() => {
      isRung = true;
    });
    let seq = 1;
    while (!isRung && seq < 5000) await store.append(lease, [said(seq++)]);
    expect(isRung).toBe(true);
    await store.close();
  });
});

describe("many runs that write at once", () => {
  it("leave others their turn, and keep their order", async () => {
    const store = await openSqliteStore(file);
    const ids = Array.from({ length: 4000 }, (_, index) => toRunId(`run_${index}`));
    const leases = await Promise.all(ids.map((id) => store.take(id, "anna", 60_000)));
    const done: string[] = [];
    let turns = 0;
    const turnsAtEnds: number[] = [];
    const writeBoth = async (lease: (typeof leases)[number]) => {
      await store.append(lease, [started("x".repeat(2000), { runId: lease.runId })]);
      done.push(lease.runId);
      turnsAtEnds.push(turns);
      await store.append(lease, [said(1, "on", lease.runId)]);
    };
    const all = Promise.all(leases.map(writeBoth));
    let next = setImmediate(function count() {
      turns++;
      next = setImmediate(count);
    });
    await all;
    clearImmediate(next);
    expect(done).toEqual(ids);
    expect(turnsAtEnds.at(-1)).toBeGreaterThan(turnsAtEnds[0] ?? 0);
    expect(await store.read(ids[0] ?? run)).toHaveLength(2);
    await store.close();
  });
});

describe("changes that share a commit", () => {
  it("are all made but the one that fails, though another process takes the file meanwhile", async () => {
    const [ours, theirs] = [new DatabaseSync(file), new DatabaseSync(file)];
    ours.exec("CREATE TABLE words (word TEXT)");
    let rollbacks = 0;
    const commits = createGroupCommit(ours, {
      busyMs: 60_000,
      onBegin() {},
      onRollback() {
        rollbacks++;
        if (rollbacks === 1) theirs.exec("BEGIN IMMEDIATE");
        if (rollbacks === 2) theirs.exec("COMMIT");
      },
      isAlone: () => false,
      toError: (error) => error,
      checkFile() {},
    });
    const add = (word: string) => ours.prepare("INSERT INTO words VALUES (?)").run(word);
    const fail = () => {
      throw new Error("no room");
    };
    const outcomes = await Promise.allSettled([
      ...["one", "two"].map((word) => commits.write(() => add(word))),
      commits.write(fail),
      ...["three", "four"].map((word) => commits.write(() => add(word))),
    ]);
    await commits.settled();
    expect(outcomes.flatMap(({ status }, index) => (status === "rejected" ? index : []))).toEqual([2]);
    const stored = ours.prepare("SELECT word FROM words").all();
    expect(stored.map(({ word }) => word)).toEqual(["one", "two", "three", "four"]);
    ours.close();
    theirs.close();
  });
});
