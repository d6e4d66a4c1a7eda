import { describe, expect, it } from "vitest";
import { openSqliteStore, script } from "../src/index.ts";
import { newFile } from "./open-desk.ts";
import { askingReplies, deskReplies, type Frame, json, openServer, readFrames } from "./open-server.ts";

const seqs = (frames: readonly Frame[]) => frames.flatMap(({ id }) => (id === undefined ? [] : id));

describe("a run over HTTP", () => {
  it("is accepted when it is stored, and read while it goes on", async () => {
    const { ask, store } = await openServer();
    const response = await ask("/v1/crews/desk/runs", { body: { input: "What was it?" } });
    expect(response.status).toBe(202);
    const { runId, status } = await json(response);
    expect([response.headers.get("location"), status]).toEqual([`/v1/runs/${runId}`, "running"]);
    expect((await store.read(runId))[0]?.data).toMatchObject({ input: "What was it?", by: "operator", isServed: true });
    await expect.poll(async () => (await json(await ask(`/v1/runs/${runId}`))).status).toBe("completed");
    expect(await json(await ask(`/v1/runs/${runId}`))).toMatchObject({ output: "Five.", path: ["triage", "billing"] });
  });

  it("is waited for with Prefer: wait, until it ends or pauses", async () => {
    const { ask } = await openServer({ replies: askingReplies });
    const headers = { prefer: "wait=30" };
    const response = await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers });
    expect([response.status, response.headers.get("preference-applied")]).toEqual([200, "wait=30"]);
    const paused = await json(response);
    expect(paused).toMatchObject({ status: "paused", paused: { agent: "billing", prompt: expect.any(String) } });
    const answered = await ask(`/v1/runs/${paused.runId}/resume`, { body: { input: "the left" } });
    expect(answered.status).toBe(202);
    await expect.poll(async () => (await json(await ask(`/v1/runs/${paused.runId}`))).status).toBe("completed");
    const again = await ask(`/v1/runs/${paused.runId}/resume`, { body: { input: "the left" } });
    expect([again.status, (await json(again)).code]).toEqual([409, "not-paused"]);
  });

  it("is waited for no longer than was asked", async () => {
    const { ask } = await openServer({ script: script({ triage: [{ text: "late", latencyMs: 5000 }] }) });
    const response = await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: { prefer: "wait=1" } });
    expect(response.status).toBe(202);
  });

  it("is one run for an Idempotency-Key, and 409 for another body", async () => {
    const { ask, store } = await openServer({ store: await openSqliteStore(newFile()) });
    const headers = { "idempotency-key": "k1" };
    const start = (input: string) => ask("/v1/crews/desk/runs", { body: { input }, headers });
    const ids = await Promise.all(
      [start("a"), start("a"), start("a")].map(async (each) => (await json(await each)).runId),
    );
    expect(new Set(ids).size).toBe(1);
    const other = await start("b");
    expect([other.status, (await json(other)).code]).toEqual([409, "idempotency-conflict"]);
    expect(await store.list()).toHaveLength(1);
  });

  it("is cancelled, given feedback, forked, shown and deleted", async () => {
    const { ask, store } = await openServer({ replies: askingReplies });
    const headers = { prefer: "wait=30" };
    const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers }));
    for (const view of ["tree", "cost", "diagnosis", "replay"])
      expect([view, (await ask(`/v1/runs/${runId}/${view}`)).status]).toEqual([view, 200]);
    const transcript = await ask(`/v1/runs/${runId}/transcript`);
    expect(transcript.status).toBe(200);
    const cancelled = await ask(`/v1/runs/${runId}/cancel`, { method: "POST" });
    expect(await json(cancelled)).toEqual({ runId, status: "cancelled" });
    expect((await ask(`/v1/runs/${runId}/cancel`, { method: "POST" })).status).toBe(409);
    const judged = await ask(`/v1/runs/${runId}/feedback`, { body: { verdict: "bad", words: "too slow" } });
    expect(await json(judged)).toMatchObject({ runId, verdict: "bad" });
    const forked = await json(await ask(`/v1/runs/${runId}/fork`, { body: { at: 0, input: "y" } }));
    expect((await store.read(forked.runId))[0]?.data).toMatchObject({ input: "y", forkedFrom: { runId, seq: 0 } });
    const deleted = await ask(`/v1/runs/${runId}`, { method: "DELETE" });
    expect(await json(deleted)).toMatchObject({ what: "run", id: runId, by: "operator" });
    expect((await ask(`/v1/runs/${runId}`)).status).toBe(404);
  });

  it("is listed page by page, by status, user and conversation", async () => {
    const { ask } = await openServer();
    const headers = { prefer: "wait=30" };
    for (const [user, conversation] of [
      ["anna", "t1"],
      ["anna", undefined],
      ["bert", "t1"],
    ])
      await ask("/v1/crews/desk/runs", { body: { input: "x", user, conversation }, headers });
    const first = await json(await ask("/v1/runs?limit=2"));
    expect(first).toMatchObject({ runs: [{ user: "bert" }, { user: "anna" }], next: expect.stringMatching(/^run_/) });
    expect(await json(await ask(`/v1/runs?limit=2&cursor=${first.next}`))).toMatchObject({ runs: [{ user: "anna" }] });
    expect((await json(await ask("/v1/runs?user=anna&conversation=t1"))).runs).toHaveLength(1);
    expect((await json(await ask("/v1/runs?status=paused"))).runs).toEqual([]);
    expect((await ask("/v1/runs?colour=red")).status).toBe(400);
    const state = await json(await ask("/v1/conversations/t1?user=bert"));
    expect(state).toMatchObject({ current_agent: "billing" });
    expect((await ask("/v1/conversations/t1")).status).toBe(404);
    expect(await json(await ask("/v1/users/anna", { method: "DELETE" }))).toMatchObject({ runs: 2 });
    expect(await json(await ask("/v1/conversations/t1?user=bert", { method: "DELETE" }))).toMatchObject({ runs: 1 });
  });
});

describe("the events of a run", () => {
  it("are streamed as they come, with deltas, to an end that says how the run stands", async () => {
    const { ask } = await openServer();
    const headers = { accept: "text/event-stream" };
    const response = await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const frames = await readFrames(response);
    const kept = seqs(frames);
    expect(kept).toEqual(kept.map((_, index) => index));
    expect(frames.some(({ id, data }) => id === undefined && data.type === "text.delta")).toBe(true);
    expect(frames.at(-1)).toMatchObject({ event: "end", data: { status: "completed" } });
    const runId = frames[0]?.data["runId"];
    const again = await readFrames(await ask(`/v1/runs/${runId}/events`, { headers }));
    expect(seqs(again)).toEqual(kept);
    const later = { ...headers, "last-event-id": "3" };
    expect(seqs(await readFrames(await ask(`/v1/runs/${runId}/events`, { headers: later })))).toEqual(kept.slice(4));
    const all = { ...headers, "last-event-id": String(kept.at(-1)) };
    const nothing = await readFrames(await ask(`/v1/runs/${runId}/events`, { headers: all }));
    expect(nothing).toMatchObject([{ event: "end", data: { status: "completed" } }]);
    const page = await json(await ask(`/v1/runs/${runId}/events?from=2&limit=3`));
    expect(page).toMatchObject({ events: [{ seq: 2 }, { seq: 3 }, { seq: 4 }], next: 5 });
  });

  it("are none missing and none twice for a reader that comes at any moment", async () => {
    const { ask } = await openServer({ replies: askingReplies });
    const headers = { accept: "text/event-stream" };
    const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    const readers = Array.from({ length: 20 }, async (_, index) => {
      const given = index % 2 === 0 ? headers : { ...headers, "last-event-id": String(index) };
      return readFrames(await ask(`/v1/runs/${runId}/events?deltas=false`, { headers: given }));
    });
    const all = await Promise.all(readers);
    for (const [index, frames] of all.entries()) {
      const kept = seqs(frames);
      const first = index % 2 === 0 ? 0 : index + 1;
      expect(kept).toEqual(kept.map((_, at) => first + at));
      expect(frames.at(-1)).toMatchObject({ event: "end", data: { status: "paused" } });
    }
  });

  it("of a run of another process are followed in the store", async () => {
    const store = await openSqliteStore(newFile());
    const first = await openServer({ store, replies: askingReplies });
    const second = await openServer({ store, replies: askingReplies, recovers: false });
    const { runId } = await json(await first.ask("/v1/crews/desk/runs", { body: { input: "x" } }));
    const headers = { accept: "text/event-stream" };
    const frames = await readFrames(await second.ask(`/v1/runs/${runId}/events`, { headers }));
    expect(frames.at(-1)).toMatchObject({ event: "end", data: { status: "paused" } });
    expect(seqs(frames)).toEqual(seqs(frames).map((_, index) => index));
  });

  it("of paused runs are an inbox, which is live", async () => {
    const { ask } = await openServer({ replies: askingReplies });
    const headers = { accept: "text/event-stream" };
    const stream = await ask("/v1/inbox", { headers });
    const arriving = readFrames(stream, (frames) => frames.length > 0);
    const waiting = { prefer: "wait=30" };
    const { runId } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x" }, headers: waiting }));
    expect(await arriving).toMatchObject([{ event: "paused", data: { runId, paused: { agent: "billing" } } }]);
    expect(await json(await ask("/v1/inbox"))).toMatchObject({ runs: [{ runId }] });
  });
});

describe("a server with as many runs as it may have", () => {
  it("queues others by priority and arrival, also across a restart", async () => {
    const store = await openSqliteStore(newFile());
    const never = script({ triage: [{ text: "late", latencyMs: 60_000 }] });
    const busy = await openServer({ store, maxRuns: 1, script: never });
    const start = async (input: string, priority?: number) =>
      json(await busy.ask("/v1/crews/desk/runs", { body: { input, ...(priority !== undefined && { priority }) } }));
    expect(await start("first")).toMatchObject({ status: "running" });
    expect(await start("usual")).toMatchObject({ status: "queued" });
    expect(await start("later")).toMatchObject({ status: "queued" });
    expect(await start("urgent", 0)).toMatchObject({ status: "queued" });
    expect((await json(await busy.ask("/v1/runs?status=queued"))).runs).toHaveLength(3);
    await busy.server.stop(0);

    const next = await openServer({ store, maxRuns: 1, folder: busy.folder, replies: deskReplies });
    await expect.poll(async () => (await store.list({ status: "completed" })).length, { timeout: 20_000 }).toBe(4);
    const done = await store.list({ status: "completed" });
    const began = await Promise.all(
      done.map(async ({ runId, input }) => {
        const events = await store.read(runId);
        return { input, at: events.find(({ type }) => type === "run.continued")?.ts ?? 0 };
      }),
    );
    const order = began.toSorted((a, b) => a.at - b.at).map(({ input }) => input);
    expect(order).toEqual(["first", "urgent", "usual", "later"]);
    await next.server.stop(0);
  });

  it("begins a delayed run when its time has come", async () => {
    const { ask } = await openServer();
    const { runId, status } = await json(await ask("/v1/crews/desk/runs", { body: { input: "x", delay: "300ms" } }));
    expect(status).toBe("queued");
    await expect.poll(async () => (await json(await ask(`/v1/runs/${runId}`))).status).toBe("completed");
  });
});
