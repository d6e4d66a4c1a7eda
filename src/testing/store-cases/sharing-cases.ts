import assert from "node:assert/strict";
import { toRunId } from "../../vocabulary/ids.ts";
import {
  completed,
  eventOf,
  hasEvents,
  MINUTE,
  manyEvents,
  paused,
  refuses,
  run,
  type StoreCases,
  said,
  started,
  takeRun,
  write,
} from "./case-tools.ts";

const other = toRunId("run_other");
const never = new AbortController().signal;

export const sharingCases: StoreCases = {
  "what one store wrote, another reads": async ({ store, open }) => {
    const second = await open();
    await write(store, manyEvents(3));
    await hasEvents(second, manyEvents(3));
    assert.equal((await second.list()).length, 1);
  },
  "what was written is there when the place is opened again": async ({ store, open }) => {
    await write(store, manyEvents(3));
    await store.put("crew", "quiz", { a: 1 }, 0);
    await store.close();
    const again = await open();
    await hasEvents(again, manyEvents(3));
    assert.deepEqual((await again.get("crew", "quiz"))?.value, { a: 1 });
  },
  "a lease holds against other stores": async ({ store, open }) => {
    const second = await open();
    await takeRun(store);
    await refuses("run-owned", takeRun(second, run, "bert"));
  },
  "a lease outlives its store": async ({ store, open, clock }) => {
    const lease = await takeRun(store);
    await store.close();
    const second = await open();
    await refuses("run-owned", takeRun(second, run, "bert"));
    clock.advance(MINUTE);
    assert.ok((await takeRun(second, run, "bert")).epoch > lease.epoch);
  },
  "a lease is good in any store": async ({ store, open }) => {
    const second = await open();
    const lease = await takeRun(store);
    await second.append(lease, [started()]);
    await store.append(lease, [said(1)]);
    await hasEvents(second, [started(), said(1)]);
  },
  "two stores may write to a run in turn with one lease": async ({ store, open }) => {
    const second = await open();
    const lease = await write(store, [started()]);
    for (let seq = 1; seq <= 12; seq++) await (seq % 3 === 0 ? store : second).append(lease, [said(seq)]);
    await refuses("out-of-order", store.append(lease, [said(12)]));
    await second.append(lease, [paused(13)]);
    await store.append(lease, [eventOf(14, "run.resumed", { input: "yes" })]);
    await second.append(lease, [said(15)]);
    assert.deepEqual(
      (await store.read(run)).map(({ seq }) => seq),
      [...Array(16).keys()],
    );
  },
  "an owner that goes on is told at once when another store took its run": async ({ store, open, clock }) => {
    const second = await open();
    const stale = await write(store, [started()]);
    for (const seq of [1, 2]) await store.append(stale, [said(seq)]);
    clock.advance(MINUTE);
    const lease = await takeRun(second, run, "bert");
    await refuses("stale-owner", store.append(stale, [said(3, "stale")]));
    await second.release(lease);
    await refuses("stale-owner", store.append(stale, [said(3, "stale")]));
    await hasEvents(store, [started(), said(1), said(2)]);
  },
  "a run that was released in another store is written to no more": async ({ store, open }) => {
    const second = await open();
    const lease = await write(store, [started(), said(1)]);
    await second.release(lease);
    await refuses("stale-owner", store.append(lease, [said(2)]));
    await hasEvents(second, [started(), said(1)]);
  },
  "who lost a run to another store can write nothing more": async ({ store, open, clock }) => {
    const second = await open();
    const stale = await write(store, [started()]);
    clock.advance(MINUTE);
    const lease = await takeRun(second, run, "bert");
    await second.append(lease, [said(1)]);
    await refuses("stale-owner", store.append(stale, [said(2, "stale")]));
    await refuses("stale-owner", store.renew(stale, MINUTE));
    await hasEvents(store, [started(), said(1)]);
  },
  "of two stores that take a run at once, one gets it": async ({ store, open }) => {
    const second = await open();
    const taken = await Promise.allSettled([takeRun(store), takeRun(second, run, "bert")]);
    assert.equal(taken.filter(({ status }) => status === "fulfilled").length, 1);
  },
  "of two stores that append at once, one does": async ({ store, open }) => {
    const second = await open();
    const lease = await takeRun(store);
    const appended = await Promise.allSettled([store.append(lease, [started()]), second.append(lease, [started()])]);
    assert.equal(appended.filter(({ status }) => status === "fulfilled").length, 1);
    await hasEvents(store, [started()]);
  },
  "two stores write to different runs at once": async ({ store, open }) => {
    const second = await open();
    await Promise.all([write(store, manyEvents(50)), write(second, manyEvents(50, other), other, "bert")]);
    await hasEvents(second, manyEvents(50));
    await hasEvents(store, manyEvents(50, other), other);
  },
  "compare and set holds between stores": async ({ store, open }) => {
    const second = await open();
    await store.put("day", "spent", 1, 0);
    assert.equal(await second.put("day", "spent", 2, 0), false);
    assert.equal(await second.put("day", "spent", 2, 1), true);
    assert.equal(await store.put("day", "spent", 3, 1), false);
    assert.equal((await store.get("day", "spent"))?.value, 2);
  },
  "a run is followed in another store": async ({ store, open }) => {
    const second = await open();
    const lease = await write(store, [started()]);
    const tail = second.tail(run, 0, never)[Symbol.asyncIterator]();
    assert.deepEqual((await tail.next()).value, started());
    const next = tail.next();
    await store.append(lease, [completed(1)]);
    assert.deepEqual((await next).value, completed(1));
    assert.equal((await tail.next()).done, true);
  },
  "closing one store leaves the other": async ({ store, open }) => {
    const second = await open();
    await store.close();
    await write(second, [started()]);
    await hasEvents(second, [started()]);
  },
  "closing waits for what was asked for": async ({ store, open }) => {
    const lease = await takeRun(store);
    const appended = store.append(lease, manyEvents(3));
    await store.close();
    await appended;
    await hasEvents(await open(), manyEvents(3));
  },
  "a closed store refuses everything": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.close();
    const calls = [
      () => takeRun(store),
      () => store.renew(lease, MINUTE),
      () => store.release(lease),
      () => store.append(lease, [said(1)]),
      () => store.read(run),
      () => store.list(),
      () => store.get("crew", "quiz"),
      () => store.put("crew", "quiz", 1, 0),
      () => store.documents("crew"),
      () => store.drop("crew", "quiz"),
      () => store.remove(run),
    ];
    for (const call of calls) await refuses("store-closed", call());
  },
  "closing twice is closing": async ({ store }) => {
    await store.close();
    await store.close();
  },
};
