import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { checkStore } from "../src/journal/check-store.ts";
import { copiedTables, copyStore } from "../src/journal/copy-store.ts";
import type { HandoffRecord } from "../src/journal/handoff-record.ts";
import { openMemoryStore } from "../src/journal/memory-store.ts";
import { openPostgresStore } from "../src/journal/open-postgres-store.ts";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import type { Store } from "../src/journal/store.ts";
import { completed, manyEvents, paused, run, said, started, write } from "../src/testing/store-cases/case-tools.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { newSchema, type TestSchema } from "./postgres-server.ts";
import { refusal } from "./refusal.ts";

const other = toRunId("run_other");
const handoff: HandoffRecord = {
  crew: "quiz",
  from: "teacher",
  to: "student",
  via: "signal",
  seq: 1,
  at: 1000.5,
  ms: 3,
  isSuccess: true,
  costUsd: undefined,
  loop: undefined,
  unmatched: undefined,
};

let schema: TestSchema;
beforeAll(async () => {
  schema = await newSchema();
});

function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), "baton-copied-")), "journal.sqlite");
}

/** A store with something of everything. */
async function fill(store: Store): Promise<void> {
  const lease = await write(store, [started("x".repeat(100_000)), said(1)]);
  await store.append(lease, [completed(2)], [handoff]);
  await store.release(lease);
  await store.release(
    await write(store, [started("hello", { runId: other, ts: 2_000_000_000_000 }), paused(1, other)], other, "bert"),
  );
  await store.put("crew", "quiz", { agents: ["teacher"] }, 0);
  await store.put("crew", "quiz", { agents: ["teacher", "student"] }, 1);
  await store.put("spending", "today", 1.5, 0);
  await store.saveBlob(run, Uint8Array.of(1, 2, 3));
  const fact = { scope: "user/ada", terms: "likes tea", tags: ["taste"], runId: run, path: "0" };
  await store.remember({ ...fact, id: "m1", text: "Likes tea", at: 1, vector: [0.6, 0.8] });
  await store.remember({ ...fact, id: "m2", text: "Likes milk", at: 2, supersedes: ["m1"] });
  await store.remember({ ...fact, id: "m3", text: "Likes water", at: 3 });
  await store.remember({ ...fact, id: "m4", text: "Likes none", at: 4, supersedes: ["m3"] });
  await store.eraseMemories({ id: "m4" });
}

/** Everything that a store has, as its readers see it. */
async function readAll(store: Store) {
  const runs = await store.list();
  const kinds = await store.kinds();
  return {
    runs,
    events: await Promise.all(runs.map(({ runId }) => store.read(runId))),
    documents: await Promise.all(
      kinds.map(async (kind) => (await store.documents(kind)).map(({ key, value }) => [kind, key, value])),
    ),
    statistics: await store.stats(),
    handoffs: await store.handoffs({}, 100),
    memories: await store.memories(),
    blobs: await store.listBlobs(run),
  };
}

const kinds: Readonly<Record<string, () => Promise<Store>>> = {
  "an SQLite file": () => openSqliteStore(newFile()),
  PostgreSQL: async () => openPostgresStore((await newSchema()).url),
  memory: async () => openMemoryStore(),
};
const ways = Object.keys(kinds).flatMap((from) => Object.keys(kinds).map((to) => [from, to] as const));

async function withStores(
  from: string,
  to: string,
  go: (source: Store, target: Store) => Promise<void>,
): Promise<void> {
  const stores = [await kinds[from]?.(), await kinds[to]?.()];
  const [source, target] = stores;
  if (source === undefined || target === undefined) throw new Error("no such kind of store");
  await go(source, target);
  for (const store of stores) await store?.close();
}

describe("a copied store", () => {
  it.each(ways)("has everything: from %s to %s", async (from, to) => {
    await withStores(from, to, async (source, target) => {
      await fill(source);
      const before = await readAll(source);
      const copied = { runs: 2, events: 5, documents: 2, handoffs: 1, memories: 3, blobs: 1, skippedRuns: 0 };
      expect(await copyStore(source, target)).toEqual(copied);
      expect(await readAll(target)).toEqual(before);
      expect(await readAll(source)).toEqual(before);
      expect(await checkStore(target)).toEqual({
        runs: 2,
        events: 5,
        documents: 2,
        memories: 3,
        blobs: 1,
        problems: [],
      });
      // Made again, it adds nothing.
      expect(await copyStore(source, target)).toEqual({ ...copied, events: 0, blobs: 0, skippedRuns: 2 });
    });
  });

  it("goes on where an earlier copy was interrupted", async () => {
    await withStores("an SQLite file", "PostgreSQL", async (source, target) => {
      const events = [...manyEvents(1200), completed(1200)];
      await source.release(await write(source, events));
      let appends = 0;
      const failing: Store = {
        ...target,
        async append(...args) {
          if (appends++ === 1) throw new Error("the plug was pulled");
          await target.append(...args);
        },
      };
      await expect(copyStore(source, failing)).rejects.toThrow("the plug");
      expect((await target.read(run)).length).toBe(500);
      expect(await copyStore(source, target)).toMatchObject({ events: 701 });
      expect(await target.read(run)).toEqual(events);
    });
  });

  it("keeps what the other store has, and says what differs", async () => {
    await withStores("memory", "an SQLite file", async (source, target) => {
      await fill(source);
      await target.put("spending", "today", 99, 0);
      expect(await refusal(copyStore(source, target))).toMatchObject({
        code: "store-differs",
        message: expect.stringContaining("document 'today'"),
      });
      expect((await target.get("spending", "today"))?.value).toBe(99);
    });
    await withStores("memory", "an SQLite file", async (source, target) => {
      await fill(source);
      await target.release(await write(target, [started("another")]));
      expect(await refusal(copyStore(source, target))).toMatchObject({ code: "store-differs" });
      expect(await target.read(run)).toHaveLength(1);
    });
  });

  it("has no run that somebody is running", async () => {
    await withStores("memory", "memory", async (source, target) => {
      await source.take(run, "anna", 60_000);
      await write(source, [started()]);
      expect(await refusal(copyStore(source, target))).toMatchObject({ code: "run-active" });
    });
  });

  it("has epochs that are at least as great", async () => {
    await withStores("memory", "PostgreSQL", async (source, target) => {
      for (let times = 0; times < 7; times++) await source.release(await source.take(run, "anna", 1000));
      await source.release(await write(source, [started(), completed(1)]));
      await copyStore(source, target);
      expect((await target.take(run, "bert", 1000)).epoch).toBeGreaterThan(
        (await source.take(run, "anna", 1000)).epoch - 1,
      );
    });
  });

  it("leaves out no table of any kind of store", async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const tables = new DatabaseSync(file).prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = tables.map(({ name }) => String(name)).filter((name) => !/^(memory_terms_|sqlite_)/.test(name));
    await (await openPostgresStore(schema.url)).close();
    const rows = await schema.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1",
      [schema.name],
    );
    const known = new Set(Object.keys(copiedTables));
    expect([...names, ...rows.map(({ name }) => String(name))].filter((name) => !known.has(name))).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
  });
});

describe("a checked store", () => {
  it("names everything that is damaged, and reads the rest", async () => {
    const { url, name, query } = await newSchema();
    const store = await openPostgresStore(url);
    await fill(store);
    await query(`UPDATE ${name}.events SET text = text || ' ' WHERE seq = 0`);
    await query(`UPDATE ${name}.documents SET value = '2' WHERE kind = 'spending'`);
    await query(`UPDATE ${name}.blobs SET bytes = '\\x00'`);
    const { problems, events, memories } = await checkStore(store);
    expect(problems.map((each) => each.replace(/^the journal at [^:]*:[^:]*: /, ""))).toEqual([
      expect.stringContaining("event 0 of run 'run_other' does not match its checksum"),
      expect.stringContaining(`event 0 of run '${run}' does not match its checksum`),
      expect.stringContaining("no longer have that hash"),
      expect.stringContaining("document 'today' of kind 'spending'"),
    ]);
    expect([events, memories]).toEqual([0, 3]);
    await store.close();
  });
});
