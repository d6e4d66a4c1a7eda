import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BatonEvent, defineCrew, defineTool, type Model, openSqliteStore, type Store } from "../src/index.ts";

function crewOn(store: Store | undefined, onCall: () => void = () => {}, result: unknown = "done") {
  let calls = 0;
  const model: Model = {
    name: "m/m",
    call: async () => {
      const isFirst = ++calls === 1;
      if (isFirst) return { text: "", toolCalls: [{ name: "work", args: {} }], finish: "tool-calls" };
      onCall();
      return { text: "ready", toolCalls: [], finish: "stop" };
    },
  };
  const work = defineTool({ name: "work", description: "works", execute: () => result });
  const agents = [{ id: "worker", description: "works", prompt: "Work.", tools: ["work"] }];
  const models = { "m/m": model };
  return defineCrew(
    { name: "desk", models: ["m/m"], agents, tools: [work] },
    store === undefined ? { models } : { store, models },
  );
}

const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-shown-")), "journal.sqlite");

describe("what a run shows", () => {
  it("is in the journal already when a reader is told of it", async () => {
    const store = await openSqliteStore(newFile());
    const kept = new Set<string>();
    const watched: Store = {
      ...store,
      append: async (lease, events, handoffs) => {
        await store.append(lease, events, handoffs);
        for (const { id } of events) kept.add(id);
      },
    };
    const early: string[] = [];
    const seen: (number | undefined)[] = [];
    for await (const event of crewOn(watched).stream("go", {
      onEvent: (told: BatonEvent) => void (kept.has(told.id) || early.push(told.type)),
    }))
      seen.push(event.seq);
    expect(early).toEqual([]);
    expect(seen).toEqual([...kept].map((_, index) => index));
    await store.close();
  });

  it("leaves out what could not be written", async () => {
    const store = await openSqliteStore(newFile());
    const told: string[] = [];
    const failing: Store = {
      ...store,
      append: async (lease, events, handoffs) => {
        if (events.some(({ type }) => type === "tool.called")) throw new Error("no disk");
        await store.append(lease, events, handoffs);
      },
    };
    const run = crewOn(failing).run("go", { onEvent: ({ type }) => void told.push(type) });
    await expect(run).rejects.toThrow("no disk");
    expect(told).toContain("model.called");
    expect(told).not.toContain("tool.called");
    await store.close();
  });
});

describe("a journal that vanishes under a run", () => {
  const ways: readonly (readonly [string, (file: string) => void, string])[] = [
    ["deleted", (file) => rmSync(file), "was deleted or moved"],
    ["without its -wal", (file) => rmSync(`${file}-wal`), "the latest part of the journal, was deleted or replaced"],
    ["moved", (file) => renameSync(file, `${file}.old`), "was deleted or moved"],
    [
      "replaced",
      (file) => {
        renameSync(file, `${file}.old`);
        writeFileSync(file, "another");
      },
      "was replaced by another file",
    ],
  ];
  it.each(ways)("is an error where it is %s", async (_, harm, words) => {
    const file = newFile();
    const store = await openSqliteStore(file);
    await expect(crewOn(store, () => harm(file)).run("go")).rejects.toThrow(words);
    await store.close();
  });
});

describe("a tool's result", () => {
  it("beyond 4 MB is a failure that the model is told of, with its size", async () => {
    const told: BatonEvent[] = [];
    const large = "x".repeat(5 * 2 ** 20);
    await crewOn(undefined, () => {}, large).run("go", { onEvent: (event) => void told.push(event) });
    const failed = told.find(({ type }) => type === "tool.failed");
    expect(failed?.data).toMatchObject({ message: "the result has 5 MB, and at most 4 MB are taken. Ask for less" });
  });
});
