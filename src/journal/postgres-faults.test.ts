import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLossyProxy } from "../../test/lossy-proxy.ts";
import { newSchema, type PostgresServer, startServer, type TestSchema } from "../../test/postgres-server.ts";
import { refusal } from "../../test/refusal.ts";
import { completed, eventOf, manyEvents, run, said, started, write } from "../testing/store-cases/case-tools.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { Store } from "./store.ts";

const never = new AbortController().signal;
const LEASE_MS = 60_000;

let schema: TestSchema;
beforeAll(async () => {
  schema = await newSchema();
});

/** Opens the store for a test, and closes it. */
async function withStore(go: (store: Store) => Promise<void>, url = schema.url): Promise<void> {
  const store = await openPostgresStore(url);
  try {
    await go(store);
  } finally {
    await store.close();
    await schema.clear();
  }
}

describe("what is read from PostgreSQL", () => {
  it.each([
    [
      "changed",
      (at: string) => `UPDATE ${at}.events SET text = replace(text, 'answer 1', 'answer 2') WHERE seq = 1`,
      /event 1 .* does not match its checksum/,
    ],
    ["lost in the middle", (at: string) => `DELETE FROM ${at}.events WHERE seq = 1`, /event 1 .* is missing/],
    ["lost at the end", (at: string) => `DELETE FROM ${at}.events WHERE seq = 3`, /event 3 .* is missing/],
    [
      "one too many",
      (at: string) => `INSERT INTO ${at}.events SELECT run, 4, text, chain FROM ${at}.events WHERE seq = 3`,
      /event 4 .* one too many/,
    ],
  ])("is refused if an event is %s", async (_, damage, message) => {
    await withStore(async (store) => {
      await write(store, manyEvents(4));
      await schema.query(damage(schema.name));
      expect(await refusal(store.read(run))).toEqual({
        code: "store-damaged",
        message: expect.stringMatching(message),
      });
    });
  });

  it("is refused if a document or a part of a large text was changed", async () => {
    await withStore(async (store) => {
      await store.put("crew", "quiz", { a: 1 }, 0);
      await schema.query(`UPDATE ${schema.name}.documents SET value = '{"a":2}'`);
      expect(await refusal(store.get("crew", "quiz"))).toMatchObject({ code: "store-damaged" });
      await write(store, [started("x".repeat(100_000))]);
      await schema.query(`UPDATE ${schema.name}.texts SET text = '"y"'`);
      expect(await refusal(store.read(run))).toMatchObject({ code: "store-damaged" });
    });
  });

  it("is in pages where a run is very long", async () => {
    await withStore(async (store) => {
      const lease = await store.take(run, "anna", LEASE_MS);
      const events = manyEvents(20_001);
      await store.append(lease, events);
      expect((await store.read(run)).length).toBe(20_001);
      expect(await store.read(run, 19_999)).toEqual(events.slice(19_999));
    });
  });
});

describe("connections to PostgreSQL that are lost", () => {
  const cut = () =>
    schema.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [schema.name]);

  it("lose nothing and double nothing, whenever they are cut", async () => {
    await withStore(async (store) => {
      const runIds = Array.from({ length: 8 }, (_, index) => toRunId(`run_${index}`));
      const leases = await Promise.all(runIds.map((runId) => store.take(runId, "anna", LEASE_MS)));
      let isDone = false;
      const cutting = (async () => {
        for (let times = 0; times < 12 && !isDone; times++) await cut();
      })();
      await Promise.all(
        leases.map(async (lease) => {
          for (const event of manyEvents(40, lease.runId)) await store.append(lease, [event]);
        }),
      );
      isDone = true;
      await cutting;
      for (const runId of runIds) expect(await store.read(runId)).toEqual(manyEvents(40, runId));
    });
  });

  it("never end the process, wherever they are cut in a transaction", async () => {
    await withStore(async (store) => {
      const fact = { scope: "user/ada", terms: "", tags: [], runId: run, path: "0", at: 1 };
      const remembering = Promise.all(
        Array.from({ length: 20 }, (_, index) => store.remember({ ...fact, id: `m${index}`, text: `fact ${index}` })),
      );
      for (let times = 0; times < 15; times++) await cut();
      await remembering;
      expect(await store.memories()).toHaveLength(20);
    });
  });

  it("count once what adds up by compare and set", async () => {
    await withStore(async (store) => {
      await store.put("day", "calls", 0, 0);
      const add = async (): Promise<void> => {
        const before = await store.get("day", "calls");
        if (!(await store.put("day", "calls", Number(before?.value) + 1, before?.version ?? 0))) await add();
      };
      const adding = Promise.all(Array.from({ length: 12 }, add));
      for (let times = 0; times < 6; times++) await cut();
      await adding;
      expect(await store.get("day", "calls")).toMatchObject({ value: 12, version: 13 });
    });
  });

  it("may take the answer with them: what was done is not done again", async () => {
    const proxy = await openLossyProxy(schema.folder);
    const url = schema.url.replace(encodeURIComponent(schema.folder), encodeURIComponent(proxy.folder));
    await withStore(async (store) => {
      const lease = await store.take(run, "anna", LEASE_MS);
      for (const event of manyEvents(6)) {
        proxy.loseAnswer();
        await store.append(lease, [event]);
      }
      expect(await store.read(run)).toEqual(manyEvents(6));
      for (const version of [0, 1, 2]) {
        proxy.loseAnswer();
        expect(await store.put("day", "calls", version, version)).toBe(true);
      }
      expect(await store.get("day", "calls")).toMatchObject({ value: 2, version: 3 });
      proxy.loseAnswer();
      await store.renew(lease, LEASE_MS);
      proxy.loseAnswer();
      await store.release(lease);
      proxy.loseAnswer();
      expect((await store.take(run, "bert", LEASE_MS)).epoch).toBeGreaterThan(lease.epoch);
    }, url);
    proxy.close();
  });

  it("do not disturb readers: they miss nothing and are told nothing twice", async () => {
    await withStore(async (store) => {
      const reader = await openPostgresStore(schema.url);
      const seen: BatonEvent[] = [];
      const lease = await store.take(run, "anna", LEASE_MS);
      const reading = (async () => {
        for await (const event of reader.tail(run, 0, never)) seen.push(event);
      })();
      for (const event of manyEvents(30)) {
        await store.append(lease, [event]);
        if ((event.seq ?? 0) % 10 === 5) await cut();
      }
      await store.append(lease, [completed(30)]);
      await reading;
      await reader.close();
      expect(seen).toEqual([...manyEvents(30), completed(30)]);
    });
  });
});

describe("a reader in another process", () => {
  it("is told at once, without looking again", async () => {
    await withStore(async (store) => {
      const reader = await openPostgresStore(schema.url);
      const lease = await write(store, [started()]);
      const tail = reader.tail(run, 0, never)[Symbol.asyncIterator]();
      await tail.next();
      const delays: number[] = [];
      for (let seq = 1; seq <= 5; seq++) {
        const next = tail.next();
        // By then it waits, and the writer has seen that it does.
        await store.append(lease, [said(2 * seq - 1)]);
        await next;
        const start = performance.now();
        const told = tail.next();
        await store.append(lease, [said(2 * seq)]);
        await told;
        delays.push(performance.now() - start);
      }
      await store.append(lease, [eventOf(11, "run.cancelled", { reason: "enough" })]);
      expect((await tail.next()).value).toMatchObject({ type: "run.cancelled" });
      await reader.close();
      // Without notices each would take about a second.
      expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(500);
    });
  });
});

describe("a server that goes away", () => {
  let server: PostgresServer;
  beforeAll(() => {
    server = startServer();
  });
  afterAll(() => server.stop());

  it("and comes back loses nothing: appends wait for it", async () => {
    const store = await openPostgresStore(server.url());
    const lease = await store.take(run, "anna", LEASE_MS);
    await store.append(lease, [started()]);
    server.kill();
    const appended = store.append(lease, [said(1)]);
    const read = store.read(run);
    server.start();
    await appended;
    expect((await read).length).toBeGreaterThan(0);
    await store.append(lease, [completed(2)]);
    expect(await store.read(run)).toEqual([started(), said(1), completed(2)]);
    await store.close();
  });

  it("and stays away lets runs go before their lease is over, and the process lives", async () => {
    const store = await openPostgresStore(server.url(), { patienceMs: 500 });
    const other = toRunId("run_other");
    const lease = await store.take(other, "anna", 1500);
    await store.append(lease, [started("hello", { runId: other })]);
    server.kill();
    const start = performance.now();
    const refused = await refusal(store.append(lease, [said(1, "words", other)]));
    expect(performance.now() - start).toBeLessThan(1500);
    expect(refused.code).toBe("store-unreachable");
    expect(refused.message).toMatch(/Stored runs are safe; continue them with baton resume/);
    expect(await refusal(store.list())).toMatchObject({ code: "store-unreachable" });
    await store.close();
    server.start();
    const again = await openPostgresStore(server.url());
    expect(await again.read(other)).toHaveLength(1);
    await again.close();
  });
});
