import { describe, expect, it } from "vitest";
import { defineCrew, defineTool, type Model, openSqliteStore, type Store } from "../src/index.ts";
import { systemClock } from "../src/run/clock.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { leave, newFile, openProcess, payingDefinition, startWithout } from "./open-process.ts";

describe("a run with a tool that must not be called twice", () => {
  it("asks whether the tool was called when its process died", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const second = await openProcess(file, ["so it is [FIX]", "mended"], 1);
    const asked = await second.crew.recover(runId).result;
    expect(asked).toMatchObject({ status: "paused", paused: { reason: "ambiguous", agent: "triage" } });
    const happened = await second.crew.resume(runId, { decision: "happened", result: "receipt 7" }).result;
    expect(happened).toMatchObject({ status: "completed", output: "mended" });
    expect(second.paid).toEqual([]);
    const events = await second.store.read(asked.runId);
    expect(events.find(({ type }) => type === "tool.completed")?.data).toEqual({ tool: "pay", result: "receipt 7" });
  });

  it("calls the tool where it is told that it did not happen", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const second = await openProcess(file, ["paid [FIX]", "mended"], 6);
    await second.crew.recover(runId).result;
    expect(await second.crew.resume(runId, { decision: "not_happened" }).result).toMatchObject({ status: "completed" });
    expect(second.paid).toEqual(["paid"]);
  });

  it("refuses to call the tool again as long as the first process may be at it, and says how long that is", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const soon = await openProcess(file, ["paid [FIX]", "mended"], 4);
    await soon.crew.recover(runId).result;
    const refused = await soon.crew.resume(runId, { decision: "not_happened" }).result.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "too-soon" });
    expect(String(refused)).toMatch(
      /'not_happened' is refused for another (60|59) s: the process that called pay may still be running it, since the tool may take 300 s/,
    );
    expect((await soon.store.read(toRunId(runId))).at(-1)).toMatchObject({ type: "run.paused" });
    // What is known to have happened can be said at any time.
    expect(await soon.crew.resume(runId, { decision: "happened" }).result).toMatchObject({ status: "completed" });
    expect(soon.paid).toEqual([]);
  });

  it("waits with wait until the first process can no longer be running it, and says so", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    let laterMs = 60_000;
    const clock = { ...systemClock, now: () => Date.now() + laterMs };
    const messages: string[] = [];
    const onWait = (message: string) => void messages.push(message);
    const second = await openProcess(file, ["paid [FIX]", "mended"], 1, {}, { clock, onWait });
    await second.crew.recover(runId).result;
    const waiting = second.crew.resume(runId, { decision: "not_happened" }, { wait: true }).result;
    await expect.poll(() => messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^waiting \d+ s, after which pay can no longer be running$/);
    expect(second.paid).toEqual([]);
    laterMs = 360_000;
    expect(await waiting).toMatchObject({ status: "completed" });
    expect(second.paid).toEqual(["paid"]);
  });

  it("does not call it where another process has taken the run just before", async () => {
    const file = newFile();
    const thief = await openSqliteStore(file, { clock: { now: () => Date.now() + 60_000 } });
    const store = await openSqliteStore(file);
    const called: unknown[] = [];
    const pay = defineTool({ name: "pay", description: "pays", execute: (_, context) => called.push(context) });
    const model: Model = {
      name: "m/m",
      call: async () => ({ text: "", toolCalls: [{ name: "pay", args: {} }], finish: "tool-calls" }),
    };
    const robbed: Store = {
      ...store,
      append: async (lease, events, handoffs) => {
        await store.append(lease, events, handoffs);
        if (events.some(({ type }) => type === "tool.called")) await thief.take(lease.runId, "thief", 10_000);
      },
    };
    const models = { "m/m": model };
    const crew = defineCrew({ ...payingDefinition, tools: [pay] }, { store: robbed, models });
    await expect(crew.run("help")).rejects.toMatchObject({ code: "stale-owner" });
    expect(called).toEqual([]);
    await Promise.all([store.close(), thief.close()]);
  });

  it("tells it how often the run was taken, so that a service can refuse a process that wakes up late", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const { runId } = await first.crew.run("help");
    await first.store.close();
    const second = await openProcess(file, [{ tool: "pay" }, "fine [FIX]", "mended"]);
    expect(await second.crew.resume(runId, { input: "left" }).result).toMatchObject({ status: "completed" });
    expect(second.contexts).toMatchObject([{ runId, epoch: 2 }]);
  });

  it("asks again where the process dies over the second call, and over the third", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    for (const later of [6, 12]) {
      const process = await openProcess(file, [undefined], later);
      expect(await process.crew.recover(runId).result).toMatchObject({ paused: { reason: "ambiguous" } });
      leave(process.crew.resume(runId, { decision: "not_happened" }).result);
      await expect.poll(() => process.paid).toHaveLength(1);
    }
    const last = await openProcess(file, ["so it is [FIX]", "mended"], 13);
    expect(await last.crew.recover(runId).result).toMatchObject({ paused: { reason: "ambiguous" } });
    const ended = await last.crew.resume(runId, { decision: "happened", result: "receipt 9" }).result;
    expect(ended).toMatchObject({ status: "completed", output: "mended" });
    expect(last.paid).toEqual([]);
    const types = (await last.store.read(ended.runId)).map(({ type }) => type);
    expect(types.filter((type) => type === "tool.called")).toHaveLength(3);
    expect(types.filter((type) => type === "tool.completed")).toHaveLength(1);
    expect((await last.crew.replay(runId)).divergence).toBeUndefined();
  });

  it("asks in a fork too, and again where that one's process dies", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const events = await first.store.read(toRunId(runId));
    const second = await openProcess(file, [undefined], 10);
    const fork = await second.crew.fork(runId, { at: events.length - 1 }).result;
    expect(fork).toMatchObject({ paused: { reason: "ambiguous" } });
    leave(second.crew.resume(fork.runId, { decision: "not_happened" }).result);
    await expect.poll(() => second.paid).toHaveLength(1);
    const third = await openProcess(file, ["so it is [FIX]", "mended"], 20);
    expect(await third.crew.recover(fork.runId).result).toMatchObject({ paused: { reason: "ambiguous" } });
    const ended = await third.crew.resume(fork.runId, { decision: "happened", result: "receipt 9" }).result;
    expect(ended).toMatchObject({ status: "completed", output: "mended" });
    expect(third.paid).toEqual([]);
    expect((await third.crew.replay(fork.runId)).divergence).toBeUndefined();
  });

  it("is forked at the answer with another result, and refuses words that nobody would read", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const second = await openProcess(file, ["so it is [FIX]", "mended"], 6);
    await second.crew.recover(runId).result;
    const ended = await second.crew.resume(runId, { decision: "happened", result: "receipt 7" }).result;
    const at = (await second.store.read(ended.runId)).findLastIndex(({ type }) => type === "run.resumed");
    const third = await openProcess(file, ["so it was [FIX]", "mended"], 6);
    const fork = await third.crew.fork(runId, { at, input: "receipt 8" }).result;
    expect(fork).toMatchObject({ status: "completed" });
    const events = await third.store.read(fork.runId);
    expect(events[at]?.data).toEqual({ decision: "happened", result: "receipt 8" });
    expect(events.find(({ type }) => type === "tool.completed")?.data).toEqual({ tool: "pay", result: "receipt 8" });
    expect((await third.crew.replay(fork.runId)).divergence).toBeUndefined();
    expect(third.paid).toEqual([]);

    const other = await openProcess(file, ["paid [FIX]", "mended"], 6);
    const denied = await other.crew.fork(runId, { at: at - 1 }).result;
    await other.crew.resume(denied.runId, { decision: "not_happened" }).result;
    const refused = other.crew.fork(denied.runId, { at, input: "receipt 8" }).result;
    await expect(refused).rejects.toMatchObject({
      code: "bad-fork",
      message: expect.stringMatching(
        /event \d+, which answers a pause: 'result' is only used with the decision 'happened'/,
      ),
    });
    await expect(other.crew.fork(runId, { at, reply: "x", input: "y" }).result).rejects.toMatchObject({
      code: "bad-fork",
      message: expect.stringContaining("not both"),
    });
  });

  it("takes what a call gave as its result, and no other words", async () => {
    const file = newFile();
    const first = await openProcess(file, [{ tool: "pay" }, undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.paid).toHaveLength(1);
    const second = await openProcess(file, ["so it is [FIX]", "mended"], 1);
    await second.crew.recover(runId).result;
    const slip = second.crew.resume(runId, { decision: "happened", input: "receipt 7" }).result;
    await expect(slip).rejects.toMatchObject({ code: "bad-answer", message: expect.stringContaining("'result'") });
    expect((await second.store.list())[0]).toMatchObject({ status: "paused" });
  });
});
