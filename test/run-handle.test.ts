import { describe, expect, it, vi } from "vitest";
import { type BatonEvent, openMemoryStore, type RunHandle } from "../src/index.ts";
import { openDesk } from "./open-desk.ts";

async function typesOf(events: AsyncIterable<BatonEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

describe("a run handle", () => {
  it("has the run's id at once, its events and its result", async () => {
    const { crew } = openDesk(["[BILLING]", "paid [DONE]"]);
    const run = crew.start("refund me");
    expect(run.id).toMatch(/^run_[0-9a-f]{20}$/);
    const types = await typesOf(run.events);
    expect(types[0]).toBe("run.started");
    expect(types.at(-1)).toBe("run.completed");
    expect(await run.result).toMatchObject({ runId: run.id, status: "completed", path: ["triage", "billing"] });
  });

  it.each([
    ["without a store", undefined],
    ["with a store", openMemoryStore()],
  ])("gives every reader all events, whenever it begins to read, %s", async (_, store) => {
    const { crew } = openDesk(["[BILLING]", "[TECH]", "mended [DONE]"], store);
    const run = crew.start("refund me");
    const first = typesOf(run.events);
    const late: Promise<string[]>[] = [];
    for await (const { type } of run.events) if (type === "handoff") late.push(typesOf(run.events));
    const all = await first;
    expect(await Promise.all(late)).toEqual([all, all]);
    expect(await typesOf(run.events)).toEqual(all);
  });

  it("lets a reader leave without ending the run", async () => {
    const { crew } = openDesk(["[BILLING]", "paid [DONE]"]);
    const run = crew.start("refund me");
    for await (const _ of run.events) break;
    expect(await run.result).toMatchObject({ status: "completed", output: "paid" });
  });

  it("resolves with a paused result, and so does the handle of resuming it", async () => {
    const { crew } = openDesk(["[BILLING]", "Which one? [ASK]", "paid [DONE]"]);
    const run = crew.start("refund me");
    expect((await run.result).status).toBe("paused");
    const resumed = crew.resume(run.id, { input: "the blue one" });
    expect(resumed.id).toBe(run.id);
    const types = await typesOf(resumed.events);
    expect(types[0]).toBe("run.resumed");
    expect(await resumed.result).toMatchObject({ status: "completed", output: "paid" });
  });

  it("cancels a run under way, and one that has paused", async () => {
    const { crew } = openDesk(["[BILLING]"]);
    const hanging = crew.start("refund me");
    for await (const { type } of hanging.events) if (type === "handoff") break;
    await hanging.cancel();
    expect((await hanging.result).status).toBe("cancelled");

    const { crew: asking } = openDesk(["[BILLING]", "Which one? [ASK]"], openMemoryStore());
    const paused = asking.start("refund me");
    await paused.result;
    await paused.cancel();
    await expect(asking.resume(paused.id, { input: "the blue one" }).result).rejects.toMatchObject({
      code: "not-paused",
    });
  });

  it("tells of what is wrong with a call in its result, and to its readers", async () => {
    const { crew } = openDesk([]);
    const wrong: RunHandle[] = [
      crew.start(" "),
      crew.start("go", { onEvents: () => {} } as never),
      crew.resume("run_0", { input: "yes" }),
      crew.fork("run_0", { at: 0 }),
    ];
    const codes = ["no-input", "bad-option", "unknown-run", "unknown-run"];
    const outcomes = wrong.map(({ events, result }) => [typesOf(events), result] as const);
    for (const [index, [types, result]] of outcomes.entries()) {
      await expect(types).rejects.toMatchObject({ code: codes[index] });
      await expect(result).rejects.toMatchObject({ code: codes[index] });
    }
  });

  it("that nobody looks at warns when its run fails", async () => {
    const { crew } = openDesk([]);
    const warned = Promise.withResolvers<string>();
    const emit = vi.spyOn(process, "emitWarning").mockImplementation((warning) => warned.resolve(String(warning)));
    const { id } = crew.start(" ");
    expect(await warned.promise).toContain(`run '${id}' failed, and nobody read its result`);
    emit.mockRestore();
  });

  it("whose readers are told why it failed does not end the process over a result that they never reach", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { crew } = openDesk([]);
    const run = crew.start(" ");
    const { result } = run;
    await expect(typesOf(run.events)).rejects.toMatchObject({ code: "no-input" });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    await expect(result).rejects.toMatchObject({ code: "no-input" });
  });

  it("of a conversation starts its next run", async () => {
    const { crew } = openDesk(["[BILLING]", "paid [DONE]", "again [DONE]"]);
    const talk = crew.conversation("t1");
    await talk.start("refund me").result;
    expect(await talk.start("and this").result).toMatchObject({ finalAgent: "billing", output: "again" });
    expect(await talk.state()).toMatchObject({ current_agent: "billing" });
  });
});

describe("the events of crew.stream", () => {
  it("come with the result", async () => {
    const { crew } = openDesk(["[BILLING]", "paid [DONE]"]);
    const stream = crew.stream("refund me");
    expect((await typesOf(stream)).at(-1)).toBe("run.completed");
    expect(await stream.result).toMatchObject({ runId: stream.id, output: "paid" });
  });

  it("cancel the run when their reader leaves early", async () => {
    const { crew } = openDesk(["[BILLING]"]);
    const stream = crew.stream("refund me");
    for await (const { type } of stream) if (type === "handoff") break;
    expect((await stream.result).status).toBe("cancelled");
  });
});
