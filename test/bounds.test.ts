import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineCrew, defineTool, type Model, openSqliteStore, type ResumeAnswer, type Store } from "../src/index.ts";

const MB = 2 ** 20;
let folder = "";
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "baton-bounds-"));
  store = await openSqliteStore(join(folder, "journal.sqlite"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

interface Crew {
  readonly settings?: { readonly max_input_size_kb?: number };
  readonly replies?: readonly (string | { readonly tool: string })[];
  readonly toolGives?: string;
}

function crewOf({ settings = {}, replies = ["done"], toolGives = "" }: Crew = {}) {
  const told: string[] = [];
  const model: Model = {
    name: "m/m",
    call(request) {
      const reply = replies[told.length] ?? "done";
      told.push(JSON.stringify(request.messages()));
      if (typeof reply === "string") return { text: reply, toolCalls: [], finish: "stop" };
      return { text: "", toolCalls: [{ name: reply.tool, args: { n: 1 } }], finish: "tool-calls" };
    },
  };
  const look = defineTool({ name: "look", description: "looks", execute: () => toolGives });
  const pay = defineTool({ name: "pay", description: "pays", needsApproval: true, execute: () => "paid" });
  const signals = {
    a: [
      { signal: "[ASK]", type: "pause" as const },
      { signal: "[CHECK]", type: "external" as const, pause: true },
    ],
  };
  const crew = defineCrew(
    {
      name: "desk",
      models: ["m/m"],
      agents: [{ id: "a", description: "works", prompt: "Work.", tools: ["look", "pay"] }],
      routing: { signals },
      settings,
      tools: [look, pay],
    },
    { store, models: { "m/m": model }, env: {} },
  );
  return { crew, told };
}

describe("an input", () => {
  it("of 50 MB is refused by its size and the key that bounds it, and nothing is stored", async () => {
    const { crew, told } = crewOf();
    await expect(crew.run("x".repeat(50 * MB))).rejects.toMatchObject({
      code: "input-too-large",
      message: "the input has 51200 KB, and at most 4096 KB are taken, see 'max_input_size_kb'",
    });
    expect([told, await store.list()]).toEqual([[], []]);
  });

  it("is measured in bytes, against what the crew says", async () => {
    const { crew } = crewOf({ settings: { max_input_size_kb: 1 } });
    await expect(crew.run("é".repeat(513))).rejects.toMatchObject({ code: "input-too-large" });
    expect(await crew.run("é".repeat(512))).toMatchObject({ status: "completed" });
    const large = crewOf({ settings: { max_input_size_kb: 5000 } });
    expect(await large.crew.run("x".repeat(4500 * 1024))).toMatchObject({ status: "completed" });
  });

  it("of a stream, of a conversation and of a fork is bounded as well", async () => {
    const { crew } = crewOf();
    const large = "x".repeat(5 * MB);
    const read = async () => {
      for await (const _ of crew.stream(large));
    };
    await expect(read()).rejects.toMatchObject({ code: "input-too-large" });
    await expect(crew.conversation("s").run(large)).rejects.toMatchObject({ code: "input-too-large" });
    const { runId } = await crew.run("go");
    await expect(crew.fork(runId, { at: 0, input: large }).result).rejects.toMatchObject({ code: "input-too-large" });
    expect(await store.list()).toHaveLength(1);
  });
});

describe("an answer to a paused run", () => {
  const large = "x".repeat(5 * MB);

  it.each<[string, string | { tool: string }, ResumeAnswer]>([
    ["an input", "which? [ASK]", { input: large }],
    ["an external response", "is it? [CHECK]", { external: { said: large } }],
    ["edited arguments", { tool: "pay" }, { decision: "edit", args: { note: large } }],
    ["words beside a rejection", { tool: "pay" }, { decision: "reject", input: large }],
    ["a decision", { tool: "pay" }, { decision: large as never }],
  ])("of more than 4 MB is refused, and the run stays paused: %s", async (_, reply, answer) => {
    const { crew } = crewOf({ replies: [reply, "done"] });
    const { runId, status } = await crew.run("go");
    expect(status).toBe("paused");
    await expect(crew.resume(runId, answer).result).rejects.toMatchObject({
      code: "bad-answer",
      message: expect.stringMatching(/has 51\d\d(\.\d)? KB, and at most 4096 KB are taken/),
    });
    expect((await store.list())[0]).toMatchObject({ status: "paused" });
  });

  it("that is no plain JSON is refused", async () => {
    const { crew } = crewOf({ replies: ["is it? [CHECK]", "done"] });
    const { runId } = await crew.run("go");
    await expect(crew.resume(runId, { external: 5n }).result).rejects.toMatchObject({ code: "bad-answer" });
  });

  it("from a handler in code is a failure of the handler, and the run waits", async () => {
    const { crew } = crewOf({ replies: ["is it? [CHECK]", "done"] });
    const result = await crew.run("go", { onExternal: () => ({ answer: large }) });
    expect(result.status).toBe("paused");
    const delivered = (await store.read(result.runId)).find(({ type }) => type === "external.delivered");
    expect(delivered?.data).toMatchObject({ failures: [expect.stringContaining("its answer has 5120.1 KB")] });
  });
});

describe("a tool's result", () => {
  it("of more than 4 MB is a failure that the model is told of, and is not stored", async () => {
    const { crew, told } = crewOf({ replies: [{ tool: "look" }, "done"], toolGives: "x".repeat(5 * MB) });
    const { runId } = await crew.run("go");
    expect(told[1]).toContain("the result has 5 MB, and at most 4 MB are taken");
    const events = await store.read(runId);
    expect(Math.max(...events.map((event) => JSON.stringify(event).length))).toBeLessThan(10_000);
  });
});
