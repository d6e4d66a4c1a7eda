import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completed, eventOf, manyEvents, paused, said, started } from "../testing/store-cases/case-tools.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const path = { crew: "quiz", from: "teacher", to: "student", via: "signal" } as const;

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-formats-"));
  file = join(folder, "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.each(["v1", "v2", "v3", "v4", "v5"])("a journal of format %s", (format) => {
  const [done, waiting] = [toRunId("run_done"), toRunId("run_waiting")];
  beforeEach(() =>
    cpSync(fileURLToPath(new URL(`../../test/fixtures/journal/${format}.sqlite`, import.meta.url)), file),
  );

  it("is loaded", async () => {
    const store = await openSqliteStore(file, { clock: { now: () => 1_800_000_000_000 } });
    expect(await store.read(done)).toEqual([...manyEvents(4, done), completed(4, done)]);
    expect(await store.read(waiting)).toEqual([started("Kết Thúc", { runId: waiting }), paused(1, waiting)]);
    const listed = (await store.list()).map(({ runId, status, isOwned }) => [runId, status, isOwned]);
    expect(listed.filter(([runId]) => runId !== "run_large" && runId !== "run_labelled")).toEqual([
      ["run_waiting", "paused", true],
      ["run_done", "completed", false],
    ]);
    expect(await store.documents("day")).toEqual([{ key: "2026-11-16", value: { costUsd: 1.25 }, version: 2 }]);
    await store.append(await store.take(waiting, "anna", 1000), [{ ...said(2, "on", waiting) }]);
    await store.close();
  });

  it("has the handoffs it had, and takes new ones", async () => {
    const store = await openSqliteStore(file);
    const kept = {
      ...path,
      seq: 2,
      at: 1000,
      isSuccess: true,
      costUsd: 0.5,
      ms: 40,
      loop: undefined,
      unmatched: undefined,
    };
    const before = await store.handoffs({}, 10);
    expect(before).toEqual(format === "v1" ? [] : [{ ...kept, runId: done, input: "hello" }]);
    await store.learn(done, [kept, { ...kept, seq: 3 }]);
    expect((await store.stats()).paths.map(({ handoffs }) => handoffs)).toEqual([2]);
    await store.close();
  });

  it("is made one of the newest format once, whoever comes first", async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openSqliteStore(file)));
    for (const store of stores) expect(await store.read(done)).toHaveLength(5);
    for (const store of stores) await store.close();
    await (await openSqliteStore(file)).close();
  });
});

describe("a journal of format v4", () => {
  it("finds runs by user and conversation", async () => {
    cpSync(fileURLToPath(new URL("../../test/fixtures/journal/v4.sqlite", import.meta.url)), file);
    const store = await openSqliteStore(file);
    const [run] = await store.list({ user: "anna", conversation: "t1" });
    expect(run).toMatchObject({ runId: "run_labelled", status: "queued" });
    await store.close();
  });

  it("finds runs by user that an earlier format stored", async () => {
    const store = await openSqliteStore(file);
    const runId = toRunId("run_early");
    await store.append(await store.take(runId, "anna", 1000), [
      eventOf(0, "run.started", { crew: "quiz", input: "hello", user: "bert" }, { runId }),
    ]);
    await store.close();
    const later = ["labels", "memories", "memory_terms", "memory_words", "blobs", "blobs_of_runs"];
    withDatabase(`${later.map((table) => `DROP TABLE ${table}`).join("; ")}; PRAGMA user_version = 3`);
    const upgraded = await openSqliteStore(file);
    expect((await upgraded.list({ user: "bert" })).map((run) => run.runId)).toEqual([runId]);
    await upgraded.close();
  });
});

describe("a journal of format v3", () => {
  it("has large texts in pieces", async () => {
    cpSync(fileURLToPath(new URL("../../test/fixtures/journal/v3.sqlite", import.meta.url)), file);
    const store = await openSqliteStore(file);
    const [large, text] = [toRunId("run_large"), Array.from({ length: 12_000 }, (_, index) => index).join(" ")];
    const events = [started(text, { runId: large }), said(1, `${text} [DONE]`, large), completed(2, large)];
    expect(await store.read(large)).toEqual(events);
    await store.close();
  });
});

function withDatabase(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
