import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { asRunId } from "../vocabulary/ids.ts";
import { EventStream } from "./event-stream.ts";

const event = (seq: number): BatonEvent => ({
  seq,
  id: `run_x.${seq}`,
  runId: asRunId("run_x"),
  ts: 0,
  type: "run.started",
  path: "",
  agent: undefined,
  crew: undefined,
  data: { crew: "c", input: "go" },
});

/** A stream of events that are told by hand, and what its run was started with and does. */
function open() {
  const run = Promise.withResolvers<void>();
  let tell = (_: BatonEvent) => {};
  let left: AbortSignal | undefined;
  const stream = new EventStream((teller, signal) => {
    tell = teller;
    left = signal;
    return run.promise;
  });
  return {
    stream,
    run,
    tell: (seq: number) => tell(event(seq)),
    hasStarted: () => left !== undefined,
    left: () => left,
  };
}

async function seqsOf(stream: AsyncIterable<BatonEvent>): Promise<(number | undefined)[]> {
  const seqs: (number | undefined)[] = [];
  for await (const { seq } of stream) seqs.push(seq);
  return seqs;
}

describe("a stream of events", () => {
  it("starts the run when it is first read", async () => {
    const { stream, hasStarted, run } = open();
    expect(hasStarted()).toBe(false);
    const read = seqsOf(stream);
    expect(hasStarted()).toBe(true);
    run.resolve();
    expect(await read).toEqual([]);
  });

  it("gives a slow reader every event in order, those after the end of the run included", async () => {
    const { stream, tell, run } = open();
    const first = stream.next();
    for (let seq = 0; seq < 100; seq++) tell(seq);
    run.resolve();
    expect((await first).value?.seq).toBe(0);
    expect(await seqsOf(stream)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
  });

  it("serves reads that wait in the order they came, and ends those that are left", async () => {
    const { stream, tell, run } = open();
    const reads = [stream.next(), stream.next(), stream.next()];
    tell(0);
    tell(1);
    run.resolve();
    expect((await Promise.all(reads)).map(({ value }) => value?.seq)).toEqual([0, 1, undefined]);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it("throws what the run threw, once, after what was told before it", async () => {
    const { stream, tell, run } = open();
    const first = stream.next();
    tell(0);
    tell(1);
    run.reject(new Error("disk full"));
    expect((await first).value?.seq).toBe(0);
    expect((await stream.next()).value?.seq).toBe(1);
    await expect(stream.next()).rejects.toThrow("disk full");
    expect((await stream.next()).done).toBe(true);
  });

  it("throws whatever it was that was thrown", async () => {
    const { stream, run } = open();
    const read = stream.next();
    run.reject(undefined);
    expect(
      await read.then(
        () => "ended",
        (error: unknown) => ({ error }),
      ),
    ).toEqual({ error: undefined });
  });

  it("stops the run when its reader leaves, and tells nobody what comes after", async () => {
    const { stream, tell, run, left } = open();
    const read: (number | undefined)[] = [];
    const reading = (async () => {
      for await (const { seq } of stream) {
        read.push(seq);
        break;
      }
    })();
    tell(0);
    tell(1);
    await reading;
    expect(left()?.aborted).toBe(true);
    tell(2);
    run.reject(new Error("cancelled"));
    expect(read).toEqual([0]);
    expect((await stream.next()).done).toBe(true);
  });

  it("that is left before it was read starts nothing", async () => {
    const { stream, hasStarted } = open();
    expect(await stream.return()).toEqual({ value: undefined, done: true });
    expect(hasStarted()).toBe(false);
  });
});
