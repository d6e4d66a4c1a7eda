import { expect, it } from "vitest";
import { openMemoryStore } from "../journal/memory-store.ts";
import type { Store } from "../journal/store.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { PauseDeadlines } from "./pause-deadlines.ts";

const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE_MS).toISOString();

function eventsOf(run: string, expiresAt?: string): BatonEvent[] {
  const base = { runId: toRunId(run), ts: 0, path: "0" };
  const paused = { agent: "a", reason: "signal", prompt: "?", options: [], paths: [], ...(expiresAt && { expiresAt }) };
  return [
    { ...base, id: `${run}0`, seq: 0, type: "run.started", data: { crew: "desk", input: "x" } },
    { ...base, id: `${run}1`, seq: 1, type: "run.paused", data: paused },
  ] as unknown as BatonEvent[];
}

async function pause(store: Store, run: string, expiresAt?: string): Promise<void> {
  const lease = await store.take(toRunId(run), "somebody", 1000);
  await store.append(lease, eventsOf(run, expiresAt));
  await store.release(lease);
}

it("paused runs are read once, and those that other processes pause are found within a minute", async () => {
  const store = openMemoryStore();
  let reads = 0;
  const read: Store["read"] = (...given) => {
    reads++;
    return store.read(...given);
  };
  const deadlines = new PauseDeadlines({ list: store.list, read });
  for (let index = 0; index < 50; index++) await pause(store, `run_${index}`);
  await pause(store, "run_soon", at(3));
  expect(await deadlines.listPassed(0)).toEqual([]);
  expect(reads).toBe(51);
  await pause(store, "run_later", at(1));
  expect(await deadlines.listPassed(MINUTE_MS - 1)).toEqual([]);
  expect(await deadlines.listPassed(MINUTE_MS)).toEqual(["run_later"]);
  expect(await deadlines.listPassed(3 * MINUTE_MS)).toEqual(expect.arrayContaining(["run_soon", "run_later"]));
  expect(reads).toBe(52);
});

it("pauses of this process are known at once, until they are answered", async () => {
  const store = openMemoryStore();
  const deadlines = new PauseDeadlines(store);
  expect(await deadlines.listPassed(0)).toEqual([]);
  const [started, paused] = eventsOf("run_own", at(0.5));
  for (const event of [started, paused]) if (event !== undefined) deadlines.see(event);
  expect(await deadlines.listPassed(MINUTE_MS / 2 - 1)).toEqual([]);
  expect(await deadlines.listPassed(MINUTE_MS / 2)).toEqual(["run_own"]);
  deadlines.see({ ...paused, seq: 2, type: "run.resumed", data: {} } as unknown as BatonEvent);
  expect(await deadlines.listPassed(MINUTE_MS - 1)).toEqual([]);
});
