import { expect, it } from "vitest";
import { openMemoryStore, script } from "../src/index.ts";
import { askingReplies, type Frame, json, openServer, readFrames } from "./open-server.ts";

const stream = { headers: { accept: "text/event-stream" } };
const isDone = ({ event, data }: Frame) => event === "run" && data["status"] === "completed";

/** The time that other processes' writes may take to be noticed; what a server writes itself is faster. */
const LOOK_MS = 1000;

it("lists follow what the server itself writes at once: runs that begin, pause, go on, end and are deleted", async () => {
  const { ask } = await openServer({ replies: askingReplies });
  const [runs, inbox] = await Promise.all([ask("/v1/runs", stream), ask("/v1/inbox", stream)]);
  const began = performance.now();
  // A list shows how things stand, so what passes between two looks is in none: each step waits for the one before.
  const [paused, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const listed = readFrames(runs, (frames) => {
    if (frames.some(isDone)) done.resolve();
    return frames.at(-1)?.event === "gone";
  });
  const waited = readFrames(inbox, (frames) => {
    if (frames.length > 0) paused.resolve();
    return frames.at(-1)?.event === "gone";
  });
  const { runId } = await json(
    await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: { prefer: "wait=30" } }),
  );
  await paused.promise;
  expect((await ask(`/v1/runs/${runId}/resume`, { body: { input: "left" } })).status).toBe(202);
  expect((await waited).map(({ event, data }) => [event, data["runId"]])).toEqual([
    ["paused", runId],
    ["gone", runId],
  ]);
  await done.promise;
  expect((await ask(`/v1/runs/${runId}`, { method: "DELETE" })).status).toBe(200);
  expect((await listed).at(-1)).toMatchObject({ event: "gone", data: { runId } });
  expect(performance.now() - began).toBeLessThan(LOOK_MS * 5);
});

it("queued runs are in the list before they begin", async () => {
  const { ask } = await openServer({ maxRuns: 1, script: script({ triage: [{ text: "late", latencyMs: 60_000 }] }) });
  const list = readFrames(await ask("/v1/runs", stream), (frames) =>
    frames.some(({ data }) => data["status"] === "queued"),
  );
  for (const input of ["first", "second"]) await ask("/v1/crews/desk/runs", { body: { input } });
  const frames = await list;
  expect(frames.find(({ data }) => data["status"] === "queued")).toMatchObject({ data: { input: "second" } });
});

it("lists show what another server on the same store writes", async () => {
  const store = openMemoryStore();
  const [reading, writing] = [await openServer({ store, recovers: false }), await openServer({ store })];
  const list = readFrames(await reading.ask("/v1/runs", stream), (frames) => frames.some(isDone));
  const { runId } = await json(await writing.ask("/v1/crews/desk/runs", { body: { input: "x" } }));
  expect((await list).at(-1)).toMatchObject({ data: { runId } });
});

it("a reader that goes away ends the looking", async () => {
  let lists = 0;
  const store = openMemoryStore();
  const list: typeof store.list = (query) => {
    lists++;
    return store.list(query);
  };
  const { ask } = await openServer({ store: { ...store, list }, recovers: false });
  const leaving = new AbortController();
  await ask("/v1/runs", { ...stream, signal: leaving.signal });
  leaving.abort();
  await expect.poll(async () => /baton_sse_readers 0/.test(await (await ask("/metrics")).text())).toBe(true);
  const before = lists;
  await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: { prefer: "wait=30" } });
  await ask("/metrics");
  expect(lists - before).toBeLessThanOrEqual(1);
});
