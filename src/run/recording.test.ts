import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { Divergence, Recording } from "./recording.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const runId = toRunId("run_test");
const recorded: readonly BatonEvent[] = [
  { seq: 0, id: "run_test.0", runId, ts: 0, type: "agent.started", path: "0", data: { input: "Go" } },
  { seq: 1, id: "run_test.1", runId, ts: 0, type: "model.completed", path: "0/t0/m0", data: fine() },
];

function fine() {
  return { model: "m", text: "fine", toolCalls: [], finish: "stop" };
}

describe("a recording that a run does not follow", () => {
  it("tells all who wait for something in it, since whoever departs from it may be given up unheard", () => {
    const recording = new Recording(recorded, createVirtualClock(), { advanced: () => {} });
    const stuck: Error[] = [];
    const others = { onResult: () => {}, onEnd: () => {} };
    recording.wait("1/t0/m0", { ...others, onStuck: (error) => stuck.push(error) });
    expect(() => recording.match({ path: "0" }, "agent.failed")).toThrow(Divergence);
    expect(stuck).toEqual([expect.any(Divergence)]);
    recording.wait("2/t0/m0", { ...others, onStuck: (error) => stuck.push(error) });
    expect(stuck[1]).toBe(stuck[0]);
  });

  it("gives no result of a paused run that nobody answered", async () => {
    const paused = { agent: "a", reason: "gate", prompt: "Go on?", options: ["approve"] } as const;
    const [started, completed] = recorded;
    if (started === undefined || completed === undefined) throw new Error("two events are recorded");
    const pause: BatonEvent = { ...started, seq: 1, type: "run.paused", path: "0", data: paused };
    const clock = createVirtualClock();
    const recording = new Recording([started, pause, { ...completed, seq: 2 }], clock, { advanced: () => {} });
    recording.match({ path: "0" }, "agent.started");
    recording.match({ path: "0" }, "run.paused");
    const outcome = await new Promise((resolve) => {
      recording.wait("0/t0/m0", { onResult: resolve, onEnd: () => resolve("end"), onStuck: resolve });
    });
    expect(outcome).toBeInstanceOf(Divergence);
  });
});
