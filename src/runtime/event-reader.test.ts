import { describe, expect, it } from "vitest";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { EventReader } from "./event-reader.ts";

const event = (seq: number): BatonEvent => ({
  seq,
  id: `run_x.${seq}`,
  runId: toRunId("run_x"),
  ts: 0,
  type: "run.started",
  path: "",
  agent: undefined,
  crew: undefined,
  data: { crew: "c", input: "go" },
});

/** A reader of events that are pushed by hand. */
function open(...before: readonly number[]) {
  let hasLeft = false;
  const reader = new EventReader(before.map(event), () => {
    hasLeft = true;
  });
  return { reader, push: (seq: number) => reader.push(event(seq)), hasLeft: () => hasLeft };
}

async function seqsOf(reader: AsyncIterable<BatonEvent>): Promise<(number | undefined)[]> {
  const seqs: (number | undefined)[] = [];
  for await (const { seq } of reader) seqs.push(seq);
  return seqs;
}

describe("a reader of events", () => {
  it("gets what came before it, and then what comes", async () => {
    const { reader, push } = open(0, 1);
    push(2);
    reader.end();
    expect(await seqsOf(reader)).toEqual([0, 1, 2]);
  });

  it("that is slow gets every event in order, those after the end of the run included", async () => {
    const { reader, push } = open();
    const first = reader.next();
    for (let seq = 0; seq < 100; seq++) push(seq);
    reader.end();
    expect((await first).value?.seq).toBe(0);
    expect(await seqsOf(reader)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
  });

  it("gets waiting reads answered in their order, and the rest ended", async () => {
    const { reader, push } = open();
    const reads = [reader.next(), reader.next(), reader.next()];
    push(0);
    push(1);
    reader.end();
    expect((await Promise.all(reads)).map(({ value }) => value?.seq)).toEqual([0, 1, undefined]);
    expect(await reader.next()).toEqual({ value: undefined, done: true });
  });

  it("gets what the run threw, once, after the events before it", async () => {
    const { reader, push } = open();
    const first = reader.next();
    push(0);
    push(1);
    reader.end({ error: new Error("disk full") });
    expect((await first).value?.seq).toBe(0);
    expect((await reader.next()).value?.seq).toBe(1);
    await expect(reader.next()).rejects.toThrow("disk full");
    expect((await reader.next()).done).toBe(true);
  });

  it("gets whatever was thrown, undefined included", async () => {
    const { reader } = open();
    const read = reader.next();
    reader.end({ error: undefined });
    expect(
      await read.then(
        () => "ended",
        (error: unknown) => ({ error }),
      ),
    ).toEqual({ error: undefined });
  });

  it("that leaves early says so, and gets nothing more", async () => {
    const { reader, push, hasLeft } = open();
    const read: (number | undefined)[] = [];
    const reading = (async () => {
      for await (const { seq } of reader) {
        read.push(seq);
        break;
      }
    })();
    push(0);
    push(1);
    await reading;
    expect(hasLeft()).toBe(true);
    push(2);
    expect(read).toEqual([0]);
    expect((await reader.next()).done).toBe(true);
  });

  it("that stops after the end has not left early", async () => {
    const { reader, hasLeft } = open();
    reader.end();
    await reader.return();
    expect(hasLeft()).toBe(false);
  });
});
