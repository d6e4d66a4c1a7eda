import { expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { openServer, readFrames } from "./open-server.ts";

const stream = { headers: { accept: "text/event-stream" } };
const runId = toRunId("run_long");

/** A run of many events, each of which says as much as is asked for. */
async function storeRun(count: number, characters: number, isOver = true) {
  const store = openMemoryStore();
  const event = (seq: number, type: string, data: object) =>
    ({ id: `e${seq}`, runId, seq, ts: seq, path: "0", type, data }) as unknown as BatonEvent;
  const lease = await store.take(runId, "somebody", 60_000);
  const words = "x".repeat(characters);
  await store.append(lease, [event(0, "run.started", { crew: "desk", input: "x" })]);
  for (let seq = 1; seq < count - 1; seq++)
    await store.append(lease, [event(seq, "agent.completed", { answer: words, turns: 1 })]);
  await store.append(lease, [event(count - 1, isOver ? "run.cancelled" : "agent.completed", { answer: "", turns: 1 })]);
  return { store, next: (data: object) => store.append(lease, [event(count, "run.cancelled", data)]) };
}

it.each([
  ["of 5,000 events", 5000, 10],
  ["of 15 MB", 150, 100_000],
])("a reader has the whole past of a run %s over one connection", { timeout: 60_000 }, async (_, count, characters) => {
  const { store } = await storeRun(count, characters);
  const { ask } = await openServer({ store, recovers: false });
  const frames = await readFrames(await ask(`/v1/runs/${runId}/events`, stream));
  expect(frames.at(-1)?.event).toBe("end");
  expect(frames.slice(0, -1).map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, seq) => seq));
  const rest = await readFrames(
    await ask(`/v1/runs/${runId}/events`, { headers: { ...stream.headers, "last-event-id": String(count - 3) } }),
  );
  expect(rest.map(({ id }) => id)).toEqual([count - 2, count - 1, undefined]);
});

it("what happens while a reader has the past follows it", async () => {
  const { store, next } = await storeRun(2000, 10, false);
  const { ask } = await openServer({ store, recovers: false });
  const response = await ask(`/v1/runs/${runId}/events`, stream);
  await next({});
  const frames = await readFrames(response);
  expect(frames.at(-1)).toMatchObject({ event: "end", data: { status: "cancelled" } });
  expect(frames.slice(0, -1).map(({ id }) => id)).toEqual(Array.from({ length: 2001 }, (_, seq) => seq));
});
