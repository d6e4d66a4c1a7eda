import assert from "node:assert/strict";
import type { RunQuery, Store } from "../../journal/store.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";
import {
  completed,
  eventOf,
  MINUTE,
  manyEvents,
  paused,
  run,
  type StoreCases,
  said,
  started,
  takeRun,
  write,
} from "./case-tools.ts";

const failure = { code: "x", message: "y" };

async function listed(store: Store, query?: RunQuery): Promise<RunId[]> {
  return (await store.list(query)).map(({ runId }) => runId);
}

/** Runs `run_a` to `run_d`: begun in that order, of two crews; `b` and `d` are paused. */
async function writeFour(store: Store): Promise<void> {
  for (const [index, letter] of ["a", "b", "c", "d"].entries()) {
    const runId = toRunId(`run_${letter}`);
    const first = started(letter, { runId, ts: 1000 + index, crew: index < 2 ? "quiz" : "desk" });
    await write(store, index % 2 === 0 ? [first] : [first, paused(1, runId)], runId);
  }
}

/** Runs `run_1` to `run_4`: two for anna, one for bert and one for nobody, in the conversations t1 and t2. */
async function writeLabelled(store: Store): Promise<void> {
  const labels = [
    ["anna", "t1"],
    ["anna", "t2"],
    ["bert", "t1"],
    [undefined, "t1"],
  ] as const;
  for (const [index, [user, id]] of labels.entries()) {
    const runId = toRunId(`run_${index + 1}`);
    const data = { crew: "quiz", input: "hello", ...(user && { user }), session: { id, n: 1, said: [] } };
    const lease = await write(store, [eventOf(0, "run.started", data, { runId, ts: 1000 + index })], runId);
    await store.release(lease);
  }
}

export const listCases: StoreCases = {
  "an empty store lists nothing": async ({ store }) => {
    assert.deepEqual(await store.list(), []);
  },
  "a run that was taken and has not begun is not listed": async ({ store }) => {
    await takeRun(store);
    assert.deepEqual(await store.list(), []);
  },
  "a run is listed with what it is": async ({ store }) => {
    await write(store, manyEvents(3));
    const times = { startedAt: started().ts, updatedAt: said(2).ts };
    const about = { runId: run, crew: "quiz", status: "running", input: "hello", events: 3, isOwned: true };
    assert.deepEqual(await store.list(), [{ ...about, ...times }]);
  },
  "each append is seen": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.append(lease, [said(1), said(2)]);
    const [listedRun] = await store.list();
    assert.deepEqual([listedRun?.events, listedRun?.updatedAt], [3, said(2).ts]);
  },
  "a status follows what happens": async ({ store }) => {
    const lease = await write(store, [started()]);
    const steps = [
      [paused(1), "paused"],
      [eventOf(2, "run.resumed", { input: "yes" }), "running"],
      [said(3), "running"],
      [paused(4), "paused"],
      [eventOf(5, "run.cancelling", { reason: "enough" }), "paused"],
      [eventOf(6, "run.cancelled", { reason: "enough" }), "cancelled"],
    ] as const;
    for (const [event, status] of steps) {
      await store.append(lease, [event]);
      assert.equal((await store.list())[0]?.status, status);
    }
  },
  "a run that is done is completed": async ({ store }) => {
    await write(store, [started(), completed(1)]);
    assert.equal((await store.list())[0]?.status, "completed");
  },
  "a run that failed has failed": async ({ store }) => {
    const end = { stopReason: "error", output: "", finalAgent: "", error: failure } as const;
    await write(store, [started(), eventOf(1, "run.failed", end)]);
    assert.equal((await store.list())[0]?.status, "failed");
  },
  "of several changes in one append the last counts": async ({ store }) => {
    await write(store, [started(), paused(1), eventOf(2, "run.resumed", { input: "yes" }), completed(3)]);
    assert.equal((await store.list())[0]?.status, "completed");
  },
  "whether somebody holds a run follows the lease": async ({ store, clock }) => {
    const isOwned = async () => (await store.list())[0]?.isOwned;
    const lease = await write(store, [started()]);
    assert.equal(await isOwned(), true);
    clock.advance(MINUTE);
    assert.equal(await isOwned(), false);
    await store.renew(lease, MINUTE);
    assert.equal(await isOwned(), true);
    await store.release(lease);
    assert.equal(await isOwned(), false);
  },
  "the newest run comes first": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store), ["run_d", "run_c", "run_b", "run_a"]);
  },
  "what counts is when a run began, not when it was written": async ({ store }) => {
    for (const [id, ts] of [
      ["run_late", 3000],
      ["run_early", 1000],
      ["run_middle", 2000],
    ] as const)
      await write(store, [started(id, { runId: toRunId(id), ts })], toRunId(id));
    assert.deepEqual(await listed(store), ["run_late", "run_middle", "run_early"]);
  },
  "of runs that began at the same time the one taken last comes first": async ({ store }) => {
    for (const id of ["run_x", "run_y", "run_w"])
      await write(store, [started(id, { runId: toRunId(id), ts: 1000 })], toRunId(id));
    assert.deepEqual(await listed(store), ["run_w", "run_y", "run_x"]);
  },
  "runs are found by status": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { status: "paused" }), ["run_d", "run_b"]);
    assert.deepEqual(await listed(store, { status: "running" }), ["run_c", "run_a"]);
    assert.deepEqual(await listed(store, { status: "failed" }), []);
  },
  "runs are found by crew": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { crew: "quiz" }), ["run_b", "run_a"]);
    assert.deepEqual(await listed(store, { crew: "nobody's" }), []);
  },
  "runs are found by status and crew": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { status: "paused", crew: "desk" }), ["run_d"]);
  },
  "runs of several crews are found": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { crew: ["desk", "quiz"], status: "paused" }), ["run_d", "run_b"]);
    assert.deepEqual(await listed(store, { crew: ["desk"] }), ["run_d", "run_c"]);
    assert.deepEqual(await listed(store, { crew: [] }), []);
  },
  "a queued run is listed as queued until it begins": async ({ store }) => {
    const lease = await write(store, [started(), eventOf(1, "run.queued", { priority: 0 })]);
    assert.equal((await store.list({ status: "queued" }))[0]?.events, 2);
    await store.append(lease, [eventOf(2, "run.continued", { why: "dequeued" }), said(3)]);
    assert.deepEqual(await store.list({ status: "queued" }), []);
    assert.equal((await store.list())[0]?.status, "running");
  },
  "runs are found by user and by conversation": async ({ store, open }) => {
    await writeLabelled(store);
    const users = (await store.list()).map(({ user, conversation }) => [user, conversation]);
    assert.deepEqual(users, [
      [undefined, "t1"],
      ["bert", "t1"],
      ["anna", "t2"],
      ["anna", "t1"],
    ]);
    for (const each of [store, await open()]) {
      assert.deepEqual(await listed(each, { user: "anna" }), ["run_2", "run_1"]);
      assert.deepEqual(await listed(each, { conversation: "t1" }), ["run_4", "run_3", "run_1"]);
      assert.deepEqual(await listed(each, { conversation: "t1", user: "anna", crew: "quiz" }), ["run_1"]);
      assert.deepEqual(await listed(each, { user: "an%" }), []);
    }
  },
  "a list is read page by page": async ({ store }) => {
    await writeLabelled(store);
    const pages: (readonly RunId[])[] = [];
    let page = await listed(store, { limit: 3 });
    while (page.length > 0) {
      pages.push(page);
      page = await listed(store, { limit: 3, after: page.at(-1) ?? toRunId("") });
    }
    assert.deepEqual(pages, [["run_4", "run_3", "run_2"], ["run_1"]]);
    assert.deepEqual(await listed(store, { after: toRunId("run_3"), user: "anna" }), ["run_2", "run_1"]);
  },
  "pages of runs that began at the same time have each run once": async ({ store }) => {
    const ids = ["run_x", "run_y", "run_w"].map(toRunId);
    for (const id of ids) await write(store, [started(id, { runId: id, ts: 1000 })], id);
    assert.deepEqual(await listed(store, { limit: 1, after: toRunId("run_w") }), ["run_y"]);
    assert.deepEqual(await listed(store, { limit: 1, after: toRunId("run_y") }), ["run_x"]);
    assert.deepEqual(await listed(store, { limit: 1, after: toRunId("run_x") }), []);
  },
  "nothing comes after a run that never began": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { after: toRunId("run_unknown") }), []);
  },
  "a list has at most as many as asked for": async ({ store }) => {
    await writeFour(store);
    assert.deepEqual(await listed(store, { limit: 2 }), ["run_d", "run_c"]);
    assert.deepEqual(await listed(store, { limit: 1, status: "running" }), ["run_c"]);
    assert.deepEqual(await listed(store, { limit: 0 }), []);
    assert.equal((await listed(store, { limit: 100 })).length, 4);
  },
  "a long input is shown in part": async ({ store }) => {
    await write(store, [started("x".repeat(10_000))]);
    assert.equal((await store.list())[0]?.input, "x".repeat(200));
  },
  "an input that no database can keep as it is can be shown": async ({ store }) => {
    await write(store, [started(`a\0b\ud800${"👩".repeat(200)}`)]);
    assert.match((await store.list())[0]?.input ?? "", /^a.b.👩/u);
  },
};
