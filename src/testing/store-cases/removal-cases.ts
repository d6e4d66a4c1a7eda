import assert from "node:assert/strict";
import type { HandoffRecord } from "../../journal/handoff-record.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import {
  completed,
  eventOf,
  hasEvents,
  MINUTE,
  manyEvents,
  refuses,
  run,
  type StoreCases,
  said,
  started,
  takeRun,
  write,
} from "./case-tools.ts";

const other = toRunId("run_other");
const handoff: HandoffRecord = {
  crew: "quiz",
  from: "teacher",
  to: "student",
  via: "signal",
  at: 1000,
  ms: 5,
  seq: 1,
  isSuccess: true,
  costUsd: undefined,
  loop: undefined,
  unmatched: undefined,
};

export const removalCases: StoreCases = {
  "a removed run has no events and is not listed": async ({ store, open }) => {
    await store.release(await write(store, manyEvents(5)));
    await store.release(await write(store, manyEvents(3, other), other));
    assert.equal(await store.remove(run), true);
    for (const each of [store, await open()]) {
      await hasEvents(each, []);
      await hasEvents(each, manyEvents(3, other), other);
      assert.deepEqual(
        (await each.list()).map(({ runId }) => runId),
        [other],
      );
    }
  },
  "a run that does not exist, or is removed already, is not removed": async ({ store }) => {
    assert.equal(await store.remove(run), false);
    await store.release(await write(store, [started()]));
    assert.equal(await store.remove(run), true);
    assert.equal(await store.remove(run), false);
  },
  "a run that somebody holds is not removed": async ({ store, clock }) => {
    await write(store, [started()]);
    await refuses("run-owned", store.remove(run));
    await hasEvents(store, [started()]);
    clock.advance(MINUTE);
    assert.equal(await store.remove(run), true);
  },
  "whoever held a removed run writes nothing more": async ({ store, open, clock }) => {
    const stale = await write(store, [started(), said(1)]);
    clock.advance(MINUTE);
    await (await open()).remove(run);
    for (const seq of [0, 2]) await refuses("stale-owner", store.append(stale, [said(seq)]));
    await refuses("stale-owner", store.renew(stale, MINUTE));
    await hasEvents(store, []);
  },
  "the handoffs of a removed run are gone": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.append(lease, [completed(1)], [handoff]);
    await store.release(lease);
    await store.release(await write(store, [started("x", { runId: other })], other));
    await store.learn(other, [handoff]);
    await store.remove(run);
    assert.deepEqual(
      (await store.handoffs({}, 10)).map(({ runId }) => runId),
      [other],
    );
    assert.equal((await store.stats()).paths[0]?.handoffs, 1);
  },
  "large texts of a removed run are gone, and those of others stay": async ({ store }) => {
    const text = Array.from({ length: 12_000 }, (_, index) => index).join(" ");
    await store.release(await write(store, [started(text)]));
    await store.release(await write(store, [started(text, { runId: other })], other));
    await store.remove(run);
    await hasEvents(store, [started(text, { runId: other })], other);
  },
  "a list goes on after a removed run": async ({ store }) => {
    for (const [index, letter] of ["a", "b", "c"].entries()) {
      const runId = toRunId(`run_${letter}`);
      await store.release(await write(store, [started(letter, { runId, ts: 1000 + index })], runId));
    }
    await store.remove(toRunId("run_b"));
    const after = await store.list({ after: toRunId("run_b") });
    assert.deepEqual(
      after.map(({ runId }) => runId),
      ["run_a"],
    );
  },
  "a run may begin anew under a removed id, with a greater epoch": async ({ store }) => {
    const first = await write(store, [started()]);
    await store.release(first);
    await store.remove(run);
    const lease = await takeRun(store);
    assert.ok(lease.epoch > first.epoch);
    await store.append(lease, [started("again")]);
    await hasEvents(store, [started("again")]);
  },
  "documents are written with the events of a run": async ({ store, open }) => {
    const lease = await takeRun(store);
    const document = { kind: "key", key: "k1", value: { run }, version: 0 };
    await store.append(lease, [started()], [], [document]);
    assert.deepEqual(await (await open()).get("key", "k1"), { key: "k1", value: { run }, version: 1 });
    await hasEvents(store, [started()]);
  },
  "if a document has changed, neither it nor the events are written": async ({ store }) => {
    await store.put("key", "k1", "theirs", 0);
    const lease = await takeRun(store);
    const documents = [
      { kind: "key", key: "k0", value: "ours", version: 0 },
      { kind: "key", key: "k1", value: "ours", version: 0 },
    ];
    await refuses("document-changed", store.append(lease, [started()], [], documents));
    await hasEvents(store, []);
    assert.equal(await store.get("key", "k0"), undefined);
    assert.equal((await store.get("key", "k1"))?.value, "theirs");
    await store.append(lease, [eventOf(0, "run.started", { crew: "quiz", input: "hello" })]);
  },
  "if the lease is stale, the documents are not written": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.release(lease);
    const document = { kind: "key", key: "k1", value: 1, version: 0 };
    await refuses("stale-owner", store.append(lease, [said(1)], [], [document]));
    assert.equal(await store.get("key", "k1"), undefined);
  },
};
