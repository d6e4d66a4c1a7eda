import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CrewDefinition,
  type CrewHandle,
  defineCrew,
  defineTool,
  type Model,
  openSqliteStore,
  type Store,
  type Tool,
} from "../src/index.ts";
import { systemClock } from "../src/run/clock.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

const definition: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", description: "reads", prompt: "Read.", tools: ["pay"] },
    { id: "fixer", description: "repairs", prompt: "Repair.", isTerminal: true },
  ],
  routing: {
    signals: { triage: [{ signal: "[FIX]", target: "fixer" }] },
    agent_behaviors: { triage: { wait_for_signal: true } },
  },
};

type Reply = string | { readonly tool: string };

/** A process of its own, as far as the store can tell: its own connection, its own crew, its own clock. */
async function openProcess(file: string, replies: readonly (Reply | undefined)[], minutesLater = 0, change = {}) {
  const clock = { ...systemClock, now: () => Date.now() + minutesLater * 60_000 };
  const store = await openSqliteStore(file, { clock });
  const calls: string[] = [];
  const paid: unknown[] = [];
  const contexts: unknown[] = [];
  const pay: Tool = defineTool({
    name: "pay",
    description: "pays",
    execute: (_, context) => {
      contexts.push(context);
      paid.push("paid");
      return replies.includes(undefined) ? new Promise(() => {}) : "paid";
    },
  });
  const model: Model = {
    name: "m/m",
    call: async ({ agent }) => {
      const reply = replies[calls.length];
      calls.push(agent);
      if (reply === undefined) return new Promise(() => {});
      if (typeof reply === "string") return { text: reply, toolCalls: [], finish: "stop" };
      return { text: "", toolCalls: [{ name: reply.tool, args: { euros: 5 } }], finish: "tool-calls" };
    },
  };
  const crew = defineCrew(
    { ...definition, tools: [pay], ...change },
    { store, clock, models: { custom: new Map([["m/m", model]]), variables: {} } },
  );
  return { crew, store, calls, paid, contexts };
}

/** Starts a run that never ends, and gives its id. */
function startWithout(crew: CrewHandle): Promise<string> {
  return new Promise((resolve) => void crew.run("help", { onEvent: ({ runId }) => resolve(runId) }));
}

const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-durable-")), "journal.sqlite");

describe("a run in a store", () => {
  it("pauses in one process and goes on in another, which calls nothing that was called", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const paused = await first.crew.run("help");
    expect(paused).toMatchObject({ status: "paused" });
    await first.store.close();
    const second = await openProcess(file, ["that one [FIX]", "mended"]);
    const result = await second.crew.resume(paused.runId, { input: "the left" }).result;
    expect(result).toMatchObject({ status: "completed", output: "mended", path: ["triage", "triage", "fixer"] });
    expect(second.calls).toEqual(["triage", "fixer"]);
    const events = await second.store.read(paused.runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    await expect(second.crew.resume(paused.runId, { input: "again" }).result).rejects.toMatchObject({
      code: "not-paused",
    });
  });

  it("is resumed by one of two that try at once, and an answer that does not fit changes nothing", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?", "fine [FIX]", "mended"]);
    const { runId } = await first.crew.run("help");
    await expect(first.crew.resume(runId, { decision: "approve" }).result).rejects.toMatchObject({
      code: "bad-answer",
    });
    const second = await openProcess(file, ["fine [FIX]", "mended"]);
    const outcomes = await Promise.allSettled([
      first.crew.resume(runId, { input: "left" }).result,
      second.crew.resume(runId, { input: "right" }).result,
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "run-active" } });
  });

  it("goes on where its process died, once that is known to be dead", async () => {
    const file = newFile();
    const first = await openProcess(file, ["go [FIX]", undefined]);
    const runId = await startWithout(first.crew);
    await expect.poll(() => first.calls).toEqual(["triage", "fixer"]);
    const soon = await openProcess(file, ["mended"]);
    await expect(soon.crew.recover(runId).result).rejects.toMatchObject({ code: "run-active" });
    const later = await openProcess(file, ["mended"], 1);
    expect(await later.crew.recover(runId).result).toMatchObject({ status: "completed", output: "mended" });
    expect(later.calls).toEqual(["fixer"]);
    await expect(later.crew.recover(runId).result).rejects.toMatchObject({ code: "not-broken" });
  });

  it("asks whether a tool that must not be called twice was called when its process died", async () => {
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
      /'not_happened' is refused for another (60|59) s: the process that called pay may still be at it, since the tool may take 300 s/,
    );
    expect((await soon.store.read(toRunId(runId))).at(-1)).toMatchObject({ type: "run.paused" });
    // What is known to have happened can be said at any time.
    expect(await soon.crew.resume(runId, { decision: "happened" }).result).toMatchObject({ status: "completed" });
    expect(soon.paid).toEqual([]);
  });

  it("is not called where another process has taken the run just before", async () => {
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
    const models = { custom: new Map([["m/m", model]]), variables: {} };
    const crew = defineCrew({ ...definition, tools: [pay] }, { store: robbed, models });
    await expect(crew.run("help")).rejects.toMatchObject({ code: "stale-owner" });
    expect(called).toEqual([]);
    await Promise.all([store.close(), thief.close()]);
  });

  it("is told how often the run was taken, so that a service can refuse a process that wakes up late", async () => {
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
      void process.crew.resume(runId, { decision: "not_happened" }).result;
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
    void second.crew.resume(fork.runId, { decision: "not_happened" }).result;
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

  it("says what changed in its crew, and goes on with the new one or with the original", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const { runId } = await first.crew.run("help");
    const [triage, fixer] = definition.agents;
    const changed = { agents: [triage, { ...fixer, prompt: "Repair well." }], settings: { max_handoffs: 3 } };
    const second = await openProcess(file, ["that one [FIX]", "mended"], 0, changed);
    const refusal = second.crew.resume(runId, { input: "left" }).result;
    await expect(refusal).rejects.toMatchObject({ code: "crew-changed" });
    await expect(refusal).rejects.toThrow(/agents\.fixer\.prompt has changed[\s\S]*settings\.maxHandoffs has changed/);
    const original = await second.crew.resume(runId, { input: "left" }, { original: true }).result;
    expect(original).toMatchObject({ status: "completed" });
    const third = await openProcess(file, ["which?", "that one [FIX]", "mended"], 0, changed);
    const again = await third.crew.run("help");
    expect(await third.crew.resume(again.runId, { input: "left" }).result).toMatchObject({ status: "completed" });
  });

  it("can be cancelled while it is paused", async () => {
    const file = newFile();
    const first = await openProcess(file, ["which one?"]);
    const { runId } = await first.crew.run("help");
    expect(await first.crew.cancel(runId)).toMatchObject({ status: "cancelled", path: ["triage"] });
    await expect(first.crew.resume(runId, { input: "x" }).result).rejects.toMatchObject({ code: "not-paused" });
  });
});
