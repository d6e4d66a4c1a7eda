import assert from "node:assert/strict";
import type { BatonEvent } from "../../vocabulary/events.ts";
import { toRunId } from "../../vocabulary/ids.ts";
import {
  eventOf,
  hasEvents,
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

export const appendCases: StoreCases = {
  "a run that nobody knows has no events": async ({ store }) => {
    assert.deepEqual(await store.read(run), []);
  },
  "a run that was taken and never written to has no events": async ({ store }) => {
    await takeRun(store);
    assert.deepEqual(await store.read(run), []);
  },
  "what was appended is read": async ({ store }) => {
    await write(store, [started()]);
    await hasEvents(store, [started()]);
  },
  "several events at once keep their order": async ({ store }) => {
    await write(store, manyEvents(5));
    await hasEvents(store, manyEvents(5));
  },
  "several appends keep their order": async ({ store }) => {
    const lease = await takeRun(store);
    for (const event of manyEvents(5)) await store.append(lease, [event]);
    await hasEvents(store, manyEvents(5));
  },
  "appends that are not waited for keep their order": async ({ store }) => {
    const lease = await takeRun(store);
    await Promise.all(manyEvents(20).map((event) => store.append(lease, [event])));
    await hasEvents(store, manyEvents(20));
  },
  "an append of nothing changes nothing": async ({ store }) => {
    const lease = await write(store, [started()]);
    await store.append(lease, []);
    await hasEvents(store, [started()]);
  },
  "reading can begin in the middle": async ({ store }) => {
    await write(store, manyEvents(5));
    assert.deepEqual(await store.read(run, 3), manyEvents(5).slice(3));
  },
  "reading can end before the last event": async ({ store }) => {
    await write(store, manyEvents(5));
    assert.deepEqual(await store.read(run, 0, 1), manyEvents(5).slice(0, 1));
    assert.deepEqual(await store.read(run, 2, 2), manyEvents(5).slice(2, 4));
    assert.deepEqual(await store.read(run, 3, 2), manyEvents(5).slice(3));
    assert.deepEqual(await store.read(run, 3, 50), manyEvents(5).slice(3));
    assert.deepEqual(await store.read(run, 1, 0), []);
    assert.deepEqual(await store.read(run, 5, 1), []);
  },
  "reading from the end on gives nothing": async ({ store }) => {
    await write(store, manyEvents(5));
    assert.deepEqual(await store.read(run, 5), []);
    assert.deepEqual(await store.read(run, 50), []);
  },
  "reading from before the beginning gives everything": async ({ store }) => {
    await write(store, manyEvents(3));
    assert.deepEqual(await store.read(run, -1), manyEvents(3));
  },
  "runs do not mix": async ({ store }) => {
    await write(store, manyEvents(3));
    await write(store, manyEvents(4, other), other);
    await hasEvents(store, manyEvents(3));
    await hasEvents(store, manyEvents(4, other), other);
  },
  "a run that is not empty must not begin anew": async ({ store }) => {
    const lease = await write(store, [started()]);
    await refuses("out-of-order", store.append(lease, [started("again")]));
    await hasEvents(store, [started()]);
  },
  "a gap is refused": async ({ store }) => {
    const lease = await write(store, [started()]);
    await refuses("out-of-order", store.append(lease, [said(2)]));
    await hasEvents(store, [started()]);
  },
  "a gap at the beginning is refused": async ({ store }) => {
    const lease = await takeRun(store);
    await refuses("out-of-order", store.append(lease, [said(1)]));
    await hasEvents(store, []);
  },
  "a gap inside an append refuses all of it": async ({ store }) => {
    const lease = await write(store, [started()]);
    await refuses("out-of-order", store.append(lease, [said(1), said(3)]));
    await hasEvents(store, [started()]);
  },
  "an event that is there is not replaced": async ({ store }) => {
    const lease = await write(store, manyEvents(3));
    await refuses("out-of-order", store.append(lease, [said(2, "something else")]));
    await hasEvents(store, manyEvents(3));
  },
  "what has no number, such as a delta, is refused": async ({ store }) => {
    const lease = await write(store, [started()]);
    const delta: BatonEvent = { id: "d", runId: run, ts: 1, type: "text.delta", path: "", data: { text: "x" } };
    await refuses("out-of-order", store.append(lease, [delta]));
    await hasEvents(store, [started()]);
  },
  "after a refusal the run can be written on": async ({ store }) => {
    const lease = await write(store, [started()]);
    await refuses("out-of-order", store.append(lease, [said(7)]));
    await store.append(lease, [said(1)]);
    await hasEvents(store, [started(), said(1)]);
  },
  "a refused append does not harm others made at the same time": async ({ store }) => {
    const lease = await write(store, [started()]);
    const theirs = await takeRun(store, other);
    const refused = refuses("out-of-order", store.append(lease, [said(9)]));
    await Promise.all([store.append(theirs, manyEvents(2, other)), refused, store.append(lease, [said(1)])]);
    await hasEvents(store, [started(), said(1)]);
    await hasEvents(store, manyEvents(2, other), other);
  },
  "an event of another run is refused": async ({ store }) => {
    const lease = await takeRun(store);
    await refuses("bad-event", store.append(lease, [started("hello", { runId: other })]));
    await hasEvents(store, []);
  },
  "what is not JSON is refused": async ({ store }) => {
    const lease = await write(store, [started()]);
    const circle: Record<string, unknown> = {};
    circle["circle"] = circle;
    for (const args of [1n, circle])
      await refuses("bad-event", store.append(lease, [eventOf(1, "tool.called", { tool: "t", args })]));
    await hasEvents(store, [started()]);
  },
  "an event without a time or without data is refused": async ({ store }) => {
    const lease = await takeRun(store);
    await refuses("bad-event", store.append(lease, [{ ...started(), ts: Number.NaN }]));
    const bare: object = { ...started(), data: undefined };
    await refuses("bad-event", store.append(lease, [bare as BatonEvent]));
  },
  "what happens to an event after it was given is not stored": async ({ store }) => {
    const lease = await write(store, [started()]);
    const args = { city: "Hue" };
    const appended = store.append(lease, [eventOf(1, "tool.called", { tool: "t", args })]);
    args.city = "Hanoi";
    await appended;
    await hasEvents(store, [started(), eventOf(1, "tool.called", { tool: "t", args: { city: "Hue" } })]);
  },
  "what happens to an event after it was read is not stored": async ({ store }) => {
    await write(store, [started()]);
    const [event] = await store.read(run);
    Object.assign(event?.data ?? {}, { input: "changed" });
    await hasEvents(store, [started()]);
  },
  "every field of the envelope is stored": async ({ store }) => {
    const event: BatonEvent = { ...started(), parentId: "p", agent: "teacher", crew: "quiz", path: "a/1", ts: 1.5 };
    await write(store, [event]);
    await hasEvents(store, [event]);
  },
  "types that this version does not know are stored": async ({ store }) => {
    const news: object = { ...said(1), type: "news.of_tomorrow", data: { any: ["thing"] } };
    await write(store, [started(), news as BatonEvent]);
    await hasEvents(store, [started(), news as BatonEvent]);
  },
  "text of every kind is stored": async ({ store }) => {
    const texts = [
      "Kết Thúc",
      "Ke\u0302\u0301t",
      "👩‍👩‍👧",
      "\0",
      "\u2028",
      "\uFEFF",
      "\uFFFD",
      `"\\'; DROP TABLE events; --`,
      "",
    ];
    const events = [started(), ...texts.map((text, index) => said(index + 1, text))];
    await write(store, events);
    await hasEvents(store, events);
  },
  "halves of characters are stored": async ({ store }) => {
    const events = [started("\ud83d and \udc69 and \ud83d\udc69"), said(1, "\udfff\ud800")];
    await write(store, events);
    await hasEvents(store, events);
  },
  "numbers and nested values are stored": async ({ store }) => {
    const args = {
      small: 5e-324,
      large: 1.7976931348623157e308,
      exact: 9007199254740991,
      no: null,
      deep: [[[{ a: [] }]]],
    };
    const events = [started(), eventOf(1, "tool.called", { tool: "t", args })];
    await write(store, events);
    await hasEvents(store, events);
  },
  "an event of a megabyte is stored": async ({ store }) => {
    const events = [started(), said(1, "0123456789abcdé∞".repeat(65_536)), said(2)];
    await write(store, events);
    await hasEvents(store, events);
  },
  "10,000 events are stored": async ({ store }) => {
    const events = manyEvents(10_000);
    const lease = await takeRun(store);
    for (let at = 0; at < events.length; at += 500) await store.append(lease, events.slice(at, at + 500));
    await hasEvents(store, events);
    assert.deepEqual(await store.read(run, 9_998), events.slice(9_998));
    assert.deepEqual(await store.read(run, 5000, 10), events.slice(5000, 5010));
  },
  "a run goes on after a pause": async ({ store }) => {
    const lease = await write(store, [started(), paused(1)]);
    await store.append(lease, [eventOf(2, "run.resumed", { input: "yes" })]);
    assert.equal((await store.read(run)).length, 3);
  },
  "an id that cannot be stored is refused": async ({ store }) => {
    await refuses("bad-name", takeRun(store, toRunId("run_\ud800")));
    await refuses("bad-name", takeRun(store, toRunId("run_\0")));
    await refuses("bad-name", takeRun(store, run, "anna\ud800"));
  },
  "any other id is good": async ({ store }) => {
    for (const id of ["", " ", "run_é", "../x", "%_?'", "👩"]) {
      await write(store, [started(id, { runId: toRunId(id) })], toRunId(id));
      await hasEvents(store, [started(id, { runId: toRunId(id) })], toRunId(id));
    }
  },
};
