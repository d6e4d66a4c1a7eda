import { describe, expect, it } from "vitest";
import { openMemoryStore, openSqliteStore, type Store } from "../src/index.ts";
import { newFile, openDesk } from "./open-desk.ts";

const places: readonly [string, () => Promise<Store | undefined>][] = [
  ["without a store", async () => undefined],
  ["in memory", async () => openMemoryStore()],
  ["in SQLite", async () => openSqliteStore(newFile())],
];

describe.each(places)("a queued run %s", (_, open) => {
  it("is stored, calls nothing, and begins when it is recovered", async () => {
    const { crew, seen } = openDesk(["Money. [BILLING]", "Five. [DONE]"], await open());
    const queued = await crew.run("What was it?", { queue: { priority: 3 }, user: "anna", by: "web" });
    expect(queued).toMatchObject({ status: "queued", path: [], endedAt: undefined });
    expect(seen).toEqual([]);
    expect(await crew.recover(queued.runId).result).toMatchObject({ status: "completed", output: "Five." });
    expect(await crew.replay(queued.runId).catch(() => ({ divergence: undefined }))).not.toHaveProperty(
      "divergence.seq",
    );
  });

  it("is cancelled without ever having begun", async () => {
    const { crew, seen } = openDesk([], await open());
    const { runId } = await crew.run("What was it?", { queue: {} });
    expect(await crew.cancel(runId)).toMatchObject({ status: "cancelled", output: "" });
    expect(seen).toEqual([]);
  });
});

describe("a queued run", () => {
  it("says in its events what it waits for, and its wait counts against no limit", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store);
    const { runId } = await crew.run("What was it?", { queue: { priority: 0, delayMs: 60_000 }, by: "web" });
    expect(await store.list({ status: "queued" })).toMatchObject([{ runId, status: "queued", events: 2 }]);
    await crew.recover(runId).result;
    const events = await store.read(runId);
    expect(events.slice(0, 3)).toMatchObject([
      { type: "run.started", data: { input: "What was it?", by: "web" } },
      { type: "run.queued", data: { priority: 0, dueAt: expect.stringMatching(/^20/) } },
      { type: "run.continued", data: { why: "dequeued" } },
    ]);
    expect(await crew.replay(runId)).toEqual({ events: events.length });
  });

  it("is refused at once if it could never begin", async () => {
    const { crew } = openDesk([], openMemoryStore());
    await expect(crew.run(" ", { queue: {} })).rejects.toMatchObject({ code: "no-input" });
    for (const queue of [{ priority: -1 }, { priority: 0.5 }, { delayMs: -1 }, { soon: true }, 7])
      await expect(crew.run("x", { queue: queue as object })).rejects.toMatchObject({ code: "bad-option" });
  });

  it("keeps its place in a conversation", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]", "Six. [DONE]"], store);
    const talk = crew.conversation("t");
    const { runId } = await talk.run("What was it?", { queue: {} });
    await expect(talk.run("Sure?")).rejects.toMatchObject({ code: "conversation-active" });
    await crew.recover(runId).result;
    expect(await talk.run("Sure?")).toMatchObject({ path: ["billing"], output: "Six." });
  });
});

describe("a run that is begun with an idempotency key", () => {
  it("is started once, also by two who ask at the same time", async () => {
    const store = await openSqliteStore(newFile());
    const { crew, seen } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store);
    const idempotency = { key: "web/desk/k1", request: "What was it?" };
    const begun = await Promise.all([1, 2, 3].map(() => crew.begin("What was it?", { idempotency })));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    const handles = begun.flatMap(({ handle }) => handle ?? []);
    expect(handles).toHaveLength(1);
    expect(await handles[0]?.result).toMatchObject({ status: "completed" });
    expect((await crew.begin("What was it?", { idempotency })).id).toBe(begun[0]?.id);
    expect(seen).toHaveLength(2);
    expect(await store.list()).toHaveLength(1);
  });

  it("is refused if the key was used for another request", async () => {
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], openMemoryStore());
    const { handle } = await crew.begin("What was it?", { idempotency: { key: "k", request: "a" } });
    await handle?.result;
    const other = crew.begin("Else?", { idempotency: { key: "k", request: "b" } });
    await expect(other).rejects.toMatchObject({ code: "idempotency-conflict" });
    const { crew: bare } = openDesk([]);
    const without = bare.begin("x", { idempotency: { key: "k", request: "a" } });
    await expect(without).rejects.toMatchObject({ code: "bad-option" });
  });
});

describe("what a caller knows of a run", () => {
  it("can be the history, which agents see before the input", async () => {
    const store = openMemoryStore();
    const { crew, seen } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store);
    const { runId } = await crew.run("Sure?", {
      history: [
        { role: "user", text: "My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD" },
        { role: "assistant", text: "It was five." },
        { role: "assistant", text: "Of May.", agent: "billing" },
      ],
    });
    expect(seen[0]?.slice(1)).toEqual([
      expect.stringMatching(/^user: My key is \[REDACTED/),
      "triage: It was five.",
      "billing: Of May.",
      "user: Sure?",
    ]);
    expect(await crew.replay(runId)).toEqual({ events: (await store.read(runId)).length });
  });

  it.each([
    [[{ role: "system", text: "x" }]],
    [[{ role: "user" }]],
    [[{ role: "user", text: "x", agent: "billing" }]],
    ["x"],
  ])("is no history such as %j", async (history) => {
    const { crew } = openDesk([]);
    await expect(crew.run("x", { history: history as never })).rejects.toMatchObject({ code: "bad-option" });
    await expect(crew.resume("run_x", { input: "y" }, { history: [] } as never).result).rejects.toMatchObject({
      code: "bad-option",
    });
  });

  it("can be variables of the run, which its prompts must have", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store, withPrompt("Read {{city}}."));
    const { runId } = await crew.run("x", { variables: { city: "Hue" } });
    expect((await store.read(runId))[0]?.data).toMatchObject({ variables: { city: "Hue" } });
    expect(await crew.replay(runId)).not.toHaveProperty("divergence");
    await expect(crew.run("x", { variables: { town: "Hue" } })).rejects.toMatchObject({
      code: "bad-option",
      message: expect.stringContaining("they have city"),
    });
  });

  it("can be the user, whose conversations are his own", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["For Anna. [BILLING]", "A. [DONE]", "For Bert. [BILLING]", "B. [DONE]"], store);
    await crew.conversation("t1", { user: "anna" }).run("I am Anna");
    const ofBert = await crew.conversation("t1", { user: "bert" }).run("I am Bert");
    expect(ofBert.path).toEqual(["triage", "billing"]);
    expect(await store.list({ conversation: "t1", user: "anna" })).toHaveLength(1);
    expect(await crew.conversation("t1").state()).toBeUndefined();
    const other = crew.conversation("t1", { user: "anna" }).run("x", { user: "bert" });
    await expect(other).rejects.toMatchObject({ code: "bad-option" });
  });

  it("is who answers, which is recorded and cannot be the deadline", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["Money. [BILLING]", "Which? [ASK]", "Five. [DONE]"], store);
    const { runId } = await crew.run("x");
    const forged = crew.resume(runId, { input: "y" }, { by: "deadline" });
    await expect(forged.result).rejects.toMatchObject({ code: "bad-option" });
    await crew.resume(runId, { input: "y" }, { by: "web" }).result;
    const resumed = (await store.read(runId)).find(({ type }) => type === "run.resumed");
    expect(resumed?.data).toEqual({ input: "y", by: "web" });
  });
});

function withPrompt(prompt: string) {
  return { name: "desk", models: ["m/m"], agents: [{ id: "triage", prompt }] };
}
