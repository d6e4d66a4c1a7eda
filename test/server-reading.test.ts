import { expect, it } from "vitest";
import { openMemoryStore, openSqliteStore, type Store } from "../src/index.ts";
import { newFile } from "./open-desk.ts";
import { askingReplies, json, openServer, readFrames } from "./open-server.ts";

/** A store that counts the events that it gives. */
function counting(store: Store): { readonly store: Store; take(): number } {
  let count = 0;
  const counted: Store = {
    ...store,
    async read(...given) {
      const events = await store.read(...given);
      count += events.length;
      return events;
    },
  };
  return {
    store: counted,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

it.each([
  ["in memory", async () => openMemoryStore()],
  ["in SQLite", async () => openSqliteStore(newFile())],
])("what is asked about a run is all that is read of it %s", async (_, open) => {
  const { store, take } = counting(await open());
  const { ask } = await openServer({ store, replies: askingReplies, recovers: false });
  const headers = { prefer: "wait=30" };
  const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers }));
  const all = await store.read(runId);
  const readBy = async (path: string, given: Parameters<typeof ask>[1] = {}) => {
    take();
    const response = await ask(path, given);
    const answer = response.headers.get("content-type")?.includes("event-stream")
      ? await readFrames(response)
      : await response.json();
    return { count: take(), answer };
  };
  const events = `/v1/runs/${runId}/events`;
  const page = await readBy(`${events}?from=2&limit=3`);
  expect(page).toEqual({ count: 1 + 4, answer: { events: all.slice(2, 5), next: 5 } });
  const last = await readBy(`${events}?from=${all.length - 2}&limit=2`);
  expect(last).toEqual({ count: 1 + 2, answer: { events: all.slice(-2) } });
  expect(await readBy(`${events}?from=5000`)).toEqual({ count: 1, answer: { events: [] } });
  const stream = { accept: "text/event-stream", "last-event-id": String(all.length - 1) };
  expect(await readBy(events, { headers: stream })).toMatchObject({ count: 2, answer: [{ event: "end" }] });
  expect((await readBy(`/v1/runs/${runId}/tree`)).count).toBe(all.length);
  expect((await readBy(`/v1/runs/${runId}/feedback`, { body: { verdict: "bad" } })).count).toBeLessThan(all.length * 2);
  expect((await ask(`${events}?from=-1`)).status).toBe(400);
});
