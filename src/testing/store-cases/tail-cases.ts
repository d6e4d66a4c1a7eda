import assert from "node:assert/strict";
import type { Store } from "../../journal/store.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import {
  completed,
  eventOf,
  manyEvents,
  paused,
  run,
  type StoreCases,
  said,
  started,
  takeRun,
  write,
} from "./case-tools.ts";

const never = new AbortController().signal;

async function collect(events: AsyncIterable<BatonEvent>): Promise<BatonEvent[]> {
  const seen: BatonEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

function tailOf(store: Store, fromSeq = 0, signal = never): AsyncIterator<BatonEvent> {
  return store.tail(run, fromSeq, signal)[Symbol.asyncIterator]();
}

export const tailCases: StoreCases = {
  "a run that has ended is given to its end": async ({ store }) => {
    await write(store, [started(), said(1), completed(2)]);
    assert.deepEqual(await collect(store.tail(run, 0, never)), [started(), said(1), completed(2)]);
  },
  "a run that is paused is given up to there": async ({ store }) => {
    await write(store, [started(), paused(1)]);
    assert.deepEqual(await collect(store.tail(run, 0, never)), [started(), paused(1)]);
  },
  "following can begin in the middle": async ({ store }) => {
    await write(store, [started(), said(1), completed(2)]);
    assert.deepEqual(await collect(store.tail(run, 2, never)), [completed(2)]);
  },
  "following from the end of a run that has ended gives nothing": async ({ store }) => {
    await write(store, [started(), completed(1)]);
    assert.deepEqual(await collect(store.tail(run, 2, never)), []);
  },
  "a pause that is over does not end it": async ({ store }) => {
    const events = [started(), paused(1), eventOf(2, "run.resumed", { input: "yes" }), completed(3)];
    await write(store, events);
    assert.deepEqual(await collect(store.tail(run, 0, never)), events);
  },
  "events come as they are added": async ({ store }) => {
    const lease = await write(store, [started()]);
    const tail = tailOf(store);
    assert.deepEqual((await tail.next()).value, started());
    for (const event of [said(1), said(2), completed(3)]) {
      const next = tail.next();
      await store.append(lease, [event]);
      assert.deepEqual((await next).value, event);
    }
    assert.equal((await tail.next()).done, true);
  },
  "events that were added meanwhile are not missed": async ({ store }) => {
    const lease = await write(store, [started()]);
    const tail = tailOf(store);
    await tail.next();
    await store.append(lease, [said(1)]);
    await store.append(lease, [said(2), completed(3)]);
    const left = [await tail.next(), await tail.next(), await tail.next()].map(({ value }) => value);
    assert.deepEqual(left, [said(1), said(2), completed(3)]);
  },
  "a run that is not there yet is waited for": async ({ store }) => {
    const all = collect(store.tail(run, 0, never));
    const lease = await takeRun(store);
    await store.append(lease, [started()]);
    await store.append(lease, [completed(1)]);
    assert.deepEqual(await all, [started(), completed(1)]);
  },
  "several may follow one run": async ({ store }) => {
    const all = [0, 0, 1].map((fromSeq) => collect(store.tail(run, fromSeq, never)));
    await write(store, [started(), completed(1)]);
    assert.deepEqual(await Promise.all(all), [[started(), completed(1)], [started(), completed(1)], [completed(1)]]);
  },
  "a signal that is aborted ends the waiting": async ({ store }) => {
    const controller = new AbortController();
    await write(store, [started()]);
    const tail = tailOf(store, 0, controller.signal);
    await tail.next();
    const next = tail.next();
    controller.abort();
    assert.equal((await next).done, true);
  },
  "a signal that was aborted before gives nothing": async ({ store }) => {
    await write(store, manyEvents(3));
    assert.deepEqual(await collect(store.tail(run, 0, AbortSignal.abort())), []);
  },
  "whoever stops following leaves the others": async ({ store }) => {
    const lease = await write(store, [started()]);
    const all = collect(store.tail(run, 0, never));
    for await (const event of store.tail(run, 0, never)) if (event.seq === 0) break;
    await store.append(lease, [completed(1)]);
    assert.deepEqual(await all, [started(), completed(1)]);
  },
  "what was refused is not seen": async ({ store }) => {
    const lease = await write(store, [started()]);
    const all = collect(store.tail(run, 0, never));
    await assert.rejects(store.append(lease, [said(5)]));
    await store.append(lease, [completed(1)]);
    assert.deepEqual(await all, [started(), completed(1)]);
  },
  "a store that is closed ends it": async ({ store }) => {
    await write(store, [started()]);
    const all = collect(store.tail(run, 0, never));
    await store.close();
    assert.ok((await all).length <= 1);
  },
};
