import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { findDifference } from "../compare/find-difference.ts";
import { collectLanes } from "./collect-lanes.ts";
import { compareMessages } from "./compare-messages.ts";
import { filterEvents } from "./filter-events.ts";
import { findWorking } from "./find-working.ts";
import { layOutBars } from "./lay-out-bars.ts";
import { addTold, nothingTold } from "./live-events.ts";
import { findEventsWith } from "./mark-text.ts";
import { cutEvents, findEvent } from "./run-data.ts";
import { firstView, readRunView, writeRunView } from "./run-state.ts";
import { buildTimeScale } from "./time-scale.ts";

let next = 0;

function event(type: string, data: object, place: object = {}): BatonEvent {
  const seq = next++;
  const whole = { seq, id: `e${seq}`, runId: "run_1", ts: 1000 * seq, path: "0", agent: "a", type, data, ...place };
  return whole as unknown as BatonEvent;
}

function tellRun(answer = "Done."): BatonEvent[] {
  next = 0;
  return [
    event("run.started", { crew: "desk", input: "The printer is dead" }, { path: "", agent: undefined }),
    event("agent.started", { input: "The printer is dead" }),
    event("model.called", { model: "m", turn: 0, attempt: 1 }, { path: "0/t0/m0" }),
    event("model.failed", { model: "m", code: "overloaded", message: "slow down" }, { path: "0/t0/m0" }),
    event("model.called", { model: "m", turn: 0, attempt: 2, waitMs: 500 }, { path: "0/t0/m1" }),
    event("model.completed", { model: "m", text: answer, toolCalls: [], finish: "stop" }, { path: "0/t0/m1" }),
    event("agent.completed", { answer, turns: 1 }),
  ];
}

describe("the lanes of a run", () => {
  it("show a failed attempt, the wait before the next, and what is still going on", () => {
    const { lanes } = collectLanes(tellRun().slice(0, 5));
    expect(lanes.map(({ name }) => name)).toEqual(["a"]);
    expect(lanes[0]?.spans.map(({ kind, isFailed, to }) => [kind, isFailed, to])).toEqual([
      ["work", false, undefined],
      ["model", true, 3000],
      ["wait", false, 4500],
      ["model", false, undefined],
    ]);
  });

  it("merge what is too short to see, and keep a failure visible", () => {
    const spans = Array.from({ length: 1000 }, (_, seq) => ({
      ...({
        kind: "model",
        name: "m",
        path: `${seq}`,
        seq,
        from: seq * 10,
        to: seq * 10 + 5,
        isFailed: seq === 500,
      } as const),
    }));
    const scale = buildTimeScale(spans, { from: 0, to: 10_000 }, true);
    const bars = layOutBars(spans, scale, { width: 300, range: [0, 1], until: 10_000 });
    expect(bars.length).toBeLessThan(150);
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    expect(bars.filter(({ isFailed }) => isFailed)).toHaveLength(1);
  });
});

describe("a run that is followed", () => {
  it("has each event once, whatever is told again after a reconnection", () => {
    const events = tellRun();
    const first = addTold(nothingTold, { type: "events", events: events.slice(0, 4) });
    const again = addTold(first, { type: "events", events: events.slice(2) });
    expect(again.events).toEqual(events);
  });

  it("shows text as it is written, until the event that holds all of it", () => {
    const delta = { ...event("text.delta", { text: "Do" }, { path: "0/t0/m1" }), seq: undefined } as BatonEvent;
    const writing = addTold(nothingTold, { type: "events", events: [delta, delta] });
    expect([...writing.streams]).toEqual([["0/t0/m1", "DoDo"]]);
    const [end] = tellRun().slice(5);
    expect(addTold(writing, { type: "events", events: end === undefined ? [] : [end] }).streams.size).toBe(0);
  });

  it("says who is at work", () => {
    const events = tellRun();
    expect([...findWorking(events.slice(0, 4))]).toEqual(["a"]);
    expect([...findWorking(events)]).toEqual([]);
  });
});

describe("a moment of a run", () => {
  it("has the events up to it", () => {
    const events = tellRun();
    expect(cutEvents(events, 2)).toHaveLength(3);
    expect(cutEvents(events, undefined)).toBe(events);
    expect(findEvent(events, 5)?.type).toBe("model.completed");
    expect(findEvent(events, 99)).toBeUndefined();
  });

  it("stands in the address, and is read from it again", () => {
    const view = {
      ...firstView,
      tab: "events",
      at: 3,
      chosen: 4,
      query: "a b",
      kinds: ["tools"],
      range: [0.25, 0.5],
    } as const;
    expect(readRunView(writeRunView(view))).toEqual(view);
    expect(readRunView(new URLSearchParams("at=x&tab=nothing&range=9-1"))).toEqual(firstView);
  });
});

describe("finding events", () => {
  it("takes kinds and words, all of which must be there", () => {
    const events = tellRun();
    expect(filterEvents(events, { kinds: ["models"], query: "slow" })).toHaveLength(1);
    expect(filterEvents(events, { kinds: [], query: "printer dead" })).toHaveLength(2);
    expect(filterEvents(events, { kinds: [], query: "" })).toBe(events);
  });

  it("marks the earlier events that contain selected words, however they are spaced", () => {
    expect(findEventsWith(" printer   is DEAD ", tellRun(), 5)).toEqual([0, 1]);
    expect(findEventsWith("is", tellRun(), 5)).toEqual([]);
  });
});

describe("two runs", () => {
  it("are the same where only times and ids differ", () => {
    const later = tellRun().map(
      (each) => ({ ...each, ts: each.ts + 7, id: `${each.id}x`, runId: "run_2" }) as BatonEvent,
    );
    expect(findDifference(tellRun(), later)).toBeUndefined();
  });

  it("part at the first reply that differs", () => {
    expect(findDifference(tellRun(), tellRun("Later."))).toMatchObject({ same: 5, keys: ["text"] });
    expect(findDifference(tellRun(), tellRun().slice(0, 3))).toMatchObject({ same: 3, b: undefined });
  });
});

describe("what a model was sent", () => {
  it("is compared with the call before, message by message", () => {
    const user = { role: "user", content: "Hello" };
    const answer = { role: "assistant", content: "Yes?" };
    const more = { role: "user", content: "The printer" };
    expect(compareMessages({ messages: [user, answer, more], previous: [user, { ...user, content: "gone" }] })).toEqual(
      {
        ...{ added: [answer, more], repeated: 1, dropped: 1 },
      },
    );
  });
});
