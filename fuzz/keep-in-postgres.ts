import { rmSync } from "node:fs";
import pg from "pg";
import { openPostgresStore } from "../src/journal/open-postgres-store.ts";
import type { Lease, Store } from "../src/journal/store.ts";
import { BatonError } from "../src/vocabulary/errors.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { startServer } from "../test/postgres-server.ts";
import { type Chance, createChance } from "./chance.ts";

/** Stores the events of a run, and gives what is read back. Throws if anything was stored that should have been refused. */
export type Keep = (events: readonly BatonEvent[], seed: number) => Promise<readonly BatonEvent[]>;

const LEASE_MS = 60_000;

/** Two stores in one database, which take the run from each other while their connections are cut. */
export async function openKeeper(): Promise<{ readonly keep: Keep; close(): Promise<void> }> {
  const server = startServer();
  const stores = [await openPostgresStore(server.url()), await openPostgresStore(server.url())] as const;
  const pool = new pg.Pool({ connectionString: server.url(), max: 1 });
  const cut = () =>
    pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'baton'");
  return {
    async keep(events, seed) {
      const [first] = events;
      if (first === undefined) return [];
      const chance = createChance(seed);
      const [one, other] = stores;
      let [store, another] = chance.below(2) === 0 ? [one, other] : [other, one];
      let lease = await store.take(first.runId, "fuzz", LEASE_MS);
      for (let at = 0; at < events.length; ) {
        const batch = events.slice(at, at + 1 + chance.below(8));
        const appended = appendInParts(store, lease, batch, chance);
        if (chance.below(40) === 0) await cut();
        await appended;
        at += batch.length;
        if (chance.below(6) > 0) continue;
        const stale = lease;
        [store, another] = [another, store];
        lease = await store.take(first.runId, "fuzz", LEASE_MS);
        await refuse(another, stale, events.slice(at, at + 1));
      }
      await store.release(lease);
      const read = await another.read(first.runId);
      await store.remove(first.runId);
      return read;
    },
    async close() {
      for (const store of stores) await store.close();
      await pool.end();
      server.stop();
      rmSync(server.folder, { recursive: true, force: true });
    },
  };
}

/** As one append or as several, which are not waited for one by one. */
async function appendInParts(store: Store, lease: Lease, batch: readonly BatonEvent[], chance: Chance): Promise<void> {
  if (chance.below(2) === 0) await store.append(lease, batch);
  else await Promise.all(batch.map((event) => store.append(lease, [event])));
}

async function refuse(store: Store, stale: Lease, events: readonly BatonEvent[]): Promise<void> {
  const refusal = await store.append(stale, events).then(
    () => "nothing",
    (error: unknown) => (error instanceof BatonError ? error.code : String(error)),
  );
  if (refusal !== "stale-owner") throw new Error(`a stale owner was refused with ${refusal}`);
}
