import assert from "node:assert/strict";
import type { Lease, Store } from "../../journal/store.ts";
import type { BatonEvent, EventData, EventType } from "../../vocabulary/events.ts";
import { type RunId, toRunId } from "../../vocabulary/ids.ts";

/** A time that goes on only when it is told to. */
export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

interface CaseTools {
  readonly store: Store;
  /** Opens the same place once more. */
  readonly open: () => Promise<Store>;
  readonly clock: TestClock;
}

/** Cases by what they show. */
export type StoreCases = Readonly<Record<string, (tools: CaseTools) => Promise<void>>>;

export const run = toRunId("run_0123456789abcdef0123");
export const MINUTE = 60_000;

export function createTestClock(): TestClock {
  let time = 1_800_000_000_000;
  return {
    now: () => time,
    advance(ms) {
      time += ms;
    },
  };
}

/** An event of some type. */
export function eventOf<Type extends EventType>(
  seq: number,
  type: Type,
  data: EventData[Type],
  given: { readonly runId?: RunId; readonly ts?: number } = {},
): BatonEvent {
  const { runId = run, ts = 1_800_000_000_000 + seq } = given;
  // The type and the data belong together, which the compiler cannot see for a type that varies.
  return { seq, id: `${runId}.${seq}`, runId, ts, type, path: "", data } as BatonEvent;
}

/** The first event of a run. */
export function started(
  input = "hello",
  given: { readonly runId?: RunId; readonly ts?: number; readonly crew?: string } = {},
) {
  return eventOf(0, "run.started", { crew: given.crew ?? "quiz", input }, given);
}

/** Any event that changes nothing about the run as a whole. */
export function said(seq: number, text = "words", runId: RunId = run): BatonEvent {
  return eventOf(seq, "agent.completed", { answer: text, turns: 1 }, { runId });
}

/** Events that follow the first one, up to `count` in all. */
export function manyEvents(count: number, runId: RunId = run): BatonEvent[] {
  return Array.from({ length: count }, (_, seq) =>
    seq === 0 ? started("hello", { runId }) : said(seq, `answer ${seq}`, runId),
  );
}

export function paused(seq: number, runId: RunId = run): BatonEvent {
  return eventOf(seq, "run.paused", { agent: "teacher", reason: "signal", prompt: "go on?", options: [] }, { runId });
}

export function completed(seq: number, runId: RunId = run): BatonEvent {
  return eventOf(seq, "run.completed", { stopReason: "answer", output: "done", finalAgent: "teacher" }, { runId });
}

/** Takes a run for a minute. */
export function takeRun(store: Store, runId: RunId = run, owner = "anna"): Promise<Lease> {
  return store.take(runId, owner, MINUTE);
}

/** Takes a run and writes events to it. */
export async function write(
  store: Store,
  events: readonly BatonEvent[],
  runId: RunId = run,
  owner = "anna",
): Promise<Lease> {
  const lease = await takeRun(store, runId, owner);
  await store.append(lease, events);
  return lease;
}

/** The promise is refused with this code, and with some words. */
export async function refuses(code: string, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error: Error & { readonly code?: string }) => {
    assert.equal(error.code, code, error.stack);
    assert.ok(error.message.length > 10, "the refusal says why");
    return true;
  });
}

export async function hasEvents(store: Store, expected: readonly BatonEvent[], runId: RunId = run): Promise<void> {
  // What is stored is JSON: a field that is undefined is not there.
  assert.deepEqual(await store.read(runId), JSON.parse(JSON.stringify(expected)));
}
