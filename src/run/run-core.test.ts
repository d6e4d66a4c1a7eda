import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { consult } from "./consult.ts";
import { Deadline } from "./deadline.ts";
import type { Effect } from "./effect.ts";
import { absentBlobs, RunAttachments } from "./run-attachments.ts";
import { RunCore } from "./run-core.ts";
import { Scope, ScopeClosed } from "./scope.ts";
import { takeStep } from "./step.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const id = toRunId("run_core");
const at = { path: "0" };

function openCore(recorded: readonly BatonEvent[] = []) {
  const clock = createVirtualClock();
  const events: BatonEvent[] = [];
  const control = { isStopping: false, isAborted: false };
  const options = { id, clock, recorded, control, onEvent: (event: BatonEvent) => void events.push(event) };
  return { clock, events, core: new RunCore(options, new RunAttachments(absentBlobs), () => {}) };
}

describe("a consultation", () => {
  it("is not begun in a scope that is closed", async () => {
    const { core } = openCore();
    const scope = new Scope();
    scope.close("cancelled");
    let asked = 0;
    const consultation = { ask: async () => ({ [`${asked++}`]: spending }), takeBack: () => {} };
    await expect(consult(core, at, scope, "quota.day", consultation)).rejects.toThrow(ScopeClosed);
    expect(asked).toBe(0);
  });
});

const spending = { usd: 0, tokens: 0, llmCalls: 0, toolCalls: 0 };

describe("a deadline", () => {
  it("does not pass if its scope was closed by another that passed at the same moment", async () => {
    const { core, clock, events } = openCore();
    const scope = new Scope();
    // While branches run, what passes is let in one after the other.
    core.delivery.branch();
    const passed: string[] = [];
    const wait = (what: string, onPassed: () => void) =>
      new Deadline(core, { place: { path: what }, scope, ms: 10, what }, onPassed);
    wait("first", () => {
      passed.push("first");
      scope.close("timeout");
    });
    wait("second", () => passed.push("second"));
    await new Promise<void>((resolve) => clock.after(20, () => core.delivery.now(resolve)));
    expect(passed).toEqual(["first"]);
    expect(events.map(({ type, path }) => [type, path])).toEqual([["deadline.passed", "first/deadline"]]);
  });
});

describe("an effect whose scope is closed before its journal gave a result", () => {
  it("leaves the run idle, since nothing was begun", async () => {
    const data = { model: "m", turn: 0, attempt: 0 };
    const recorded: readonly BatonEvent[] = [
      { seq: 0, id: "run_core.0", runId: id, ts: 0, type: "model.called", path: "0", data },
      { seq: 1, id: "run_core.1", runId: id, ts: 0, type: "model.failed", path: "0", data: cancelled },
    ];
    const { core } = openCore(recorded);
    const scope = new Scope();
    const taken = takeStep(core, createEffect(scope, data));
    scope.close("cancelled");
    await expect(taken).rejects.toThrow(ScopeClosed);
    await new Promise<void>((resolve) => core.delivery.whenIdle(resolve));
    expect(core.recording.isLeft()).toBe(false);
  });
});

const cancelled = { model: "m", turn: 0, attempt: 0, code: "cancelled", message: "cancelled", ms: 0 };

function createEffect(scope: Scope, data: { model: string; turn: number; attempt: number }): Effect<string> {
  const failed = () => ({ type: "model.failed", data: cancelled }) as const;
  return {
    place: at,
    scope,
    intent: { type: "model.called", data },
    timeoutMs: undefined,
    act: async () => "never",
    completed: failed,
    failed,
    late: failed,
    cancelled: failed,
  };
}
