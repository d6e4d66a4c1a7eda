import { describe, expect, it } from "vitest";
import { Stopwatch } from "./stopwatch.ts";
import { createVirtualClock } from "./virtual-clock.ts";

describe("the run's own time", () => {
  it("is what passes between events: nothing between those of one moment, and none for a clock that goes back", () => {
    const stopwatch = new Stopwatch(createVirtualClock());
    for (const ts of [1000, 1000, 1000, 900, 1400]) stopwatch.see({ type: "agent.started", ts });
    expect(stopwatch.ms()).toBe(500);
    expect(stopwatch.now()).toBe(1400);
  });

  it("stands still while a run is paused", () => {
    const stopwatch = new Stopwatch(createVirtualClock());
    stopwatch.see({ type: "run.started", ts: 0 });
    stopwatch.see({ type: "run.paused", ts: 10 });
    expect([stopwatch.isPaused(), stopwatch.isOver()]).toEqual([true, true]);
    stopwatch.see({ type: "run.resumed", ts: 5000 });
    stopwatch.see({ type: "run.completed", ts: 5005 });
    expect(stopwatch.ms()).toBe(15);
    expect([stopwatch.isPaused(), stopwatch.isOver()]).toEqual([false, true]);
  });
});
