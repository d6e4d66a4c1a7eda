import assert from "node:assert/strict";
import type { HandoffRecord } from "../../journal/handoff-record.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import { completed, refuses, type StoreCases, started, takeRun, write } from "./case-tools.ts";

const first = toRunId("run_first");
const second = toRunId("run_second");

/** A handoff from triage to billing that went well, but for what is given. */
function handoff(given: Partial<HandoffRecord> = {}): HandoffRecord {
  const path = { crew: "desk", from: "triage", to: "billing", via: "router" } as const;
  return {
    ...path,
    seq: 1,
    at: 1000,
    isSuccess: true,
    costUsd: 0.25,
    ms: 40,
    loop: undefined,
    unmatched: undefined,
    ...given,
  };
}

const entry = { from: undefined, to: "triage", via: "entry", seq: 0 } as const;
const bare = { crew: "desk", from: "triage", to: "billing", via: "router" } as const;

export const handoffCases: StoreCases = {
  "there are no statistics without handoffs": async ({ store }) => {
    assert.deepEqual(await store.stats(), { paths: [], loops: [], unmatchedInputs: [] });
    assert.deepEqual(await store.handoffs({}, 10), []);
    assert.equal(await store.forget({}), 0);
  },
  "handoffs come with the end of their run": async ({ store }) => {
    const lease = await takeRun(store, first);
    await store.append(lease, [started("hello", { runId: first })]);
    await store.append(lease, [completed(1, first)], [handoff()]);
    const figures = { handoffs: 1, successes: 1, failures: 0, costUsd: 0.25, priced: 1, ms: 40, lastAt: 1000 };
    assert.deepEqual((await store.stats()).paths, [{ ...bare, ...figures }]);
  },
  "handoffs of an end that is refused are not stored": async ({ store }) => {
    const lease = await write(store, [started("hello", { runId: first })], first);
    await refuses("out-of-order", store.append(lease, [completed(5, first)], [handoff()]));
    assert.deepEqual((await store.stats()).paths, []);
  },
  "a handoff is stored in the place of the one of the same event": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    await store.learn(first, [handoff(), handoff({ seq: 5 })]);
    await store.learn(first, [handoff({ isSuccess: false }), handoff({ seq: 5 })]);
    const [path] = (await store.stats()).paths;
    assert.deepEqual([path?.handoffs, path?.successes, path?.failures], [2, 1, 1]);
  },
  "handoffs of a run that is not there are refused": async ({ store }) => {
    await refuses("unknown-run", store.learn(first, [handoff()]));
  },
  "what cannot be stored of a handoff is refused": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    await refuses("bad-name", store.learn(first, [handoff({ to: "bil\0ling" })]));
    await refuses("bad-name", store.learn(first, [handoff({ from: "\ud800" })]));
    await refuses("bad-handoff", store.learn(first, [handoff({ ms: Number.NaN })]));
    await refuses("bad-handoff", store.learn(first, [handoff({ costUsd: Number.POSITIVE_INFINITY })]));
    assert.deepEqual((await store.stats()).paths, []);
  },
  "handoffs on one path are added up over runs; what is unknown is not": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    await write(store, [started("hello", { runId: second })], second);
    await store.learn(first, [handoff(), handoff({ seq: 3, isSuccess: undefined, costUsd: undefined, at: 1500 })]);
    await store.learn(second, [handoff({ isSuccess: false, costUsd: 0.5, ms: 60, at: 3000 })]);
    const figures = { handoffs: 3, successes: 1, failures: 1, costUsd: 0.75, priced: 2, ms: 140, lastAt: 3000 };
    assert.deepEqual((await store.stats()).paths, [{ ...bare, ...figures }]);
  },
  "the busiest paths come first, then by name": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    const paths = [handoff({ seq: 1, to: "b" }), handoff({ seq: 2, to: "c" }), handoff({ seq: 3, to: "c" })];
    await store.learn(first, [...paths, handoff({ seq: 4, to: "a" }), handoff({ seq: 5, to: "a", via: "signal" })]);
    const found = (await store.stats()).paths.map(({ to, via, handoffs }) => `${to} ${via} ${handoffs}`);
    assert.deepEqual(found, ["c router 2", "a router 1", "a signal 1", "b router 1"]);
  },
  "how a run begins is a path from nobody": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    await store.learn(first, [handoff(entry)]);
    const [path] = (await store.stats()).paths;
    assert.deepEqual([path?.from, path?.to, path?.via], [undefined, "triage", "entry"]);
  },
  "statistics can be filtered by crew, ends, mechanism and time": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    const crews = ["desk", "desk/lab", "desk2", "desk-2", "other"];
    await store.learn(first, [
      ...crews.map((crew, index) => handoff({ seq: index, crew })),
      handoff({ seq: 10, from: "billing", to: "triage", at: 2000 }),
      handoff({ ...entry, seq: 11, crew: "other" }),
    ]);
    const counted = async (query: Parameters<typeof store.stats>[0]) =>
      (await store.stats(query)).paths.reduce((sum, { handoffs }) => sum + handoffs, 0);
    assert.equal(await counted({ crew: "desk" }), 3);
    assert.equal(await counted({ crew: "desk/lab" }), 1);
    assert.equal(await counted({ crew: "des_" }), 0);
    assert.equal(await counted({ from: "billing" }), 1);
    assert.equal(await counted({ to: "billing", crew: "other" }), 1);
    assert.equal(await counted({ via: "entry" }), 1);
    assert.equal(await counted({ via: "entry", crew: "desk" }), 0);
    assert.equal(await counted({ since: 2000 }), 1);
    assert.equal(await counted({ since: 2001 }), 0);
  },
  "loops are counted, the most frequent first": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    const loops = ["a > b > a", "c > d > c", "c > d > c"];
    await store.learn(first, [
      handoff({ seq: 9 }),
      ...loops.map((loop, seq) => handoff({ seq, loop, isSuccess: seq !== 1 })),
    ]);
    assert.deepEqual((await store.stats()).loops, [
      { crew: "desk", loop: "c > d > c", handoffs: 2, successes: 1, failures: 1 },
      { crew: "desk", loop: "a > b > a", handoffs: 1, successes: 1, failures: 0 },
    ]);
    assert.equal((await store.stats({}, 1)).loops.length, 1);
    assert.deepEqual((await store.stats({ crew: "other" })).loops, []);
  },
  "unmatched inputs come with the input of their run, the newest first": async ({ store }) => {
    await write(store, [started("mend my bike", { runId: first })], first);
    await write(store, [started("x".repeat(300), { runId: second })], second);
    await store.learn(first, [handoff({ ...entry, unmatched: "low_confidence", at: 1000 }), handoff()]);
    await store.learn(second, [handoff({ ...entry, unmatched: "no_signal", at: 2000 })]);
    await store.learn(first, [handoff({ seq: 9, unmatched: "max_handoffs", at: 3000 })]);
    const { unmatchedInputs } = await store.stats();
    assert.deepEqual(
      unmatchedInputs.map(({ runId, input, unmatched }) => [runId, input.length, unmatched]),
      [
        [first, 12, "max_handoffs"],
        [second, 200, "no_signal"],
        [first, 12, "low_confidence"],
      ],
    );
    assert.equal((await store.stats({ since: 1500 })).unmatchedInputs.length, 2);
  },
  "single handoffs are given as they were stored": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    const kept = handoff({ isSuccess: undefined, costUsd: undefined, loop: "a > b > a", at: 1000.5 });
    await store.learn(first, [kept]);
    assert.deepEqual(await store.handoffs({ from: "triage" }, 10), [{ ...kept, runId: first, input: "hello" }]);
  },
  "of each path so many single handoffs are given, those of the newest runs": async ({ store }) => {
    await write(store, [started("one", { runId: first })], first);
    await write(store, [started("two", { runId: second })], second);
    for (const runId of [first, second])
      await store.learn(runId, [handoff(), handoff({ seq: 2 }), handoff({ seq: 3, to: "sales" })]);
    const found = (await store.handoffs({ crew: "desk" }, 1)).map(({ to, input, seq }) => `${to} ${input} ${seq}`);
    assert.deepEqual(found.sort(), ["billing two 2", "sales two 3"]);
    assert.deepEqual(await store.handoffs({ crew: "desk" }, 0), []);
  },
  "what is forgotten is gone, and nothing else": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    const loop = "triage > sales > triage";
    await store.learn(first, [handoff(), handoff({ seq: 2, to: "sales", loop }), handoff({ seq: 3, crew: "other" })]);
    assert.equal(await store.forget({ crew: "desk", to: "sales" }), 1);
    assert.equal(await store.forget({ crew: "desk", to: "sales" }), 0);
    assert.deepEqual((await store.stats()).loops, []);
    assert.equal((await store.stats()).paths.length, 2);
    assert.equal((await store.read(first)).length, 1);
    assert.equal(await store.forget({}), 2);
  },
  "other stores in the same place see the same handoffs": async ({ store, open }) => {
    await write(store, [started("hello", { runId: first })], first);
    const other = await open();
    await store.learn(first, [handoff()]);
    await other.learn(first, [handoff({ seq: 2 })]);
    for (const each of [store, other]) assert.equal((await each.stats()).paths[0]?.handoffs, 2);
  },
  "names of agents are taken literally": async ({ store }) => {
    await write(store, [started("hello", { runId: first })], first);
    for (const [seq, to] of ["%", "'; DROP TABLE paths; --", "A", "a"].entries())
      await store.learn(first, [handoff({ seq, to })]);
    assert.equal((await store.stats({ to: "%" })).paths.length, 1);
    assert.equal((await store.stats({ to: "A" })).paths.length, 1);
    assert.equal((await store.stats()).paths.length, 4);
  },
};
