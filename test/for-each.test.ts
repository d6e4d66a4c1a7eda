import { describe, expect, it } from "vitest";
import { type BatonEvent, type CrewDefinition, defineCrew, defineTool, openMemoryStore, script } from "../src/index.ts";

/** A function that splits its input, a worker, and a function that counts what comes back. */
function paper(worker: object, group: object = {}, keys: Partial<CrewDefinition> = {}): CrewDefinition {
  return {
    name: "paper",
    agents: [
      { id: "split", run: (input) => input.split(" ") },
      { id: "writer", prompt: "Write.", ...worker },
      { id: "count", isTerminal: true, run: (input) => `${input.split("[writer]").length - 1} parts: ${input}` },
    ],
    models: ["m/m"],
    routing: {
      defaults: { split: "each" },
      parallelGroups: { each: { forEach: "writer", nextAgent: "count", ...group } },
    },
    ...keys,
  };
}

const replies = (count: number) => script({ writer: Array.from({ length: count }, (_, index) => `part ${index}`) });

async function eventsOf(run: AsyncIterable<BatonEvent>): Promise<BatonEvent[]> {
  const events: BatonEvent[] = [];
  for await (const event of run) if (event.seq !== undefined) events.push(event);
  return events;
}

describe("a group for each item of a list", () => {
  it("works on as many items as there are", async () => {
    const crew = defineCrew(paper({}, { concurrency: 3 }));
    const input = Array.from({ length: 40 }, (_, index) => `w${index}`).join(" ");
    const result = await crew.run(input, { script: replies(40) });
    expect(result).toMatchObject({ status: "completed", handoffs: 2, path: ["split", "each", "count"] });
    expect(result.output).toMatch(/^40 parts/);
  });

  it("holds to a quota, however many items are worked on at once", async () => {
    const settings = { quotas: { maxLlmCalls: 3 } };
    const crew = defineCrew(paper({}, { concurrency: 8 }, { settings }));
    const stream = crew.stream("a b c d e", { script: replies(5) });
    const events = await eventsOf(stream);
    expect(events.filter(({ type }) => type === "model.called")).toHaveLength(3);
    expect(await stream.result).toMatchObject({ status: "failed", stopReason: "quota" });
  });

  it("pauses with the call of an item that a human must approve, and goes on where it was", async () => {
    let sent = 0;
    const send = defineTool({
      name: "send",
      description: "sends",
      needsApproval: true,
      execute: () => {
        sent++;
        return "sent";
      },
    });
    const store = openMemoryStore();
    const definition = { ...paper({ tools: ["send"] }, { concurrency: 1 }), tools: [send] };
    const crew = defineCrew(definition, { store });
    const call = { tools: [{ name: "send", args: {} }] };
    const first = await crew.run("a b", { script: script({ writer: [call, "wrote a", call, "wrote b"] }) });
    expect(first.paused).toMatchObject({ reason: "approval", agent: "writer", tool: "send" });
    const second = await crew.resume(first.runId, { decision: "approve" }).result;
    expect([sent, second.paused?.reason]).toEqual([1, "approval"]);
    const last = await crew.resume(first.runId, { decision: "approve" }).result;
    expect(last).toMatchObject({ status: "completed", output: expect.stringMatching(/^2 parts.*wrote a.*wrote b/s) });
    expect(sent).toBe(2);
    expect(await crew.replay(first.runId)).toEqual({ events: expect.any(Number) });
  });

  it("can be forked within an item: what came before is not called again", async () => {
    const store = openMemoryStore();
    const crew = defineCrew(paper({}, { concurrency: 1 }), { store });
    const stream = crew.stream("a b c", { script: replies(3) });
    const events = await eventsOf(stream);
    const at = events.findIndex(({ type, path }) => type === "model.completed" && path.includes("/b1/"));
    const forked = crew.fork(stream.id, { at, reply: "another part" }, { script: replies(3) });
    const after = await eventsOf(forked.events);
    expect((await forked.result).output).toMatch(/^3 parts.*part 0.*another part.*part 2/s);
    const called = after.filter(({ type, path }) => type === "model.called" && path.includes("/b0/"));
    expect(called).toHaveLength(1);
    expect(await crew.replay(forked.id)).toEqual({ events: expect.any(Number) });
  });

  it("can be forked at the function that wrote the list", async () => {
    const store = openMemoryStore();
    const crew = defineCrew(paper({}), { store });
    const stream = crew.stream("a b", { script: replies(3) });
    const at = (await eventsOf(stream)).findIndex(({ type }) => type === "function.completed");
    const forked = crew.fork(stream.id, { at, reply: '["one"]' }, { script: replies(3) });
    expect((await forked.result).output).toMatch(/^1 parts/);
    const prompts = { split: "Split." };
    await expect(crew.fork(stream.id, { at, prompts }, { script: replies(3) }).result).rejects.toMatchObject({
      code: "bad-fork",
      message: "agent 'split' is a function and has no prompt",
    });
  });

  it("is bounded in its time as a whole", async () => {
    const slow = { run: () => new Promise<string>(() => {}), tools: undefined, prompt: undefined };
    const crew = defineCrew(paper(slow, { concurrency: 1, timeoutSeconds: 0.01 }));
    const result = await crew.run("a b");
    expect(result).toMatchObject({ status: "failed", error: { code: "no_success" } });
    expect(result.error?.causes).toMatchObject([{ code: "late" }, { code: "late" }]);
  });
});
