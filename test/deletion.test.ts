import { describe, expect, it } from "vitest";
import { openMemoryStore, openSqliteStore, type Store } from "../src/index.ts";
import { deleteConversation, deleteRun, deleteUser, listDeletions } from "../src/library/delete-runs.ts";
import { listInbox } from "../src/run-storage/list-inbox.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { newFile, openDesk } from "./open-desk.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const places: readonly [string, () => Promise<Store>][] = [
  ["in memory", async () => openMemoryStore()],
  ["in SQLite", async () => openSqliteStore(newFile())],
];

describe.each(places)("deletion %s", (_, open) => {
  it("takes a run with its feedback, its keys and its handoffs, and is noted", async () => {
    const store = await open();
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store);
    const { id, handle } = await crew.begin("What was it?", { idempotency: { key: "k", request: "r" } });
    await handle?.result;
    await crew.feedback(id, "good");
    expect(await deleteRun(store, id, { by: "web" })).toMatchObject({ what: "run", id, runs: 1, by: "web" });
    expect(await store.list()).toEqual([]);
    for (const kind of ["feedback", "idempotency", "cancel"]) expect(await store.documents(kind)).toEqual([]);
    expect(await store.handoffs({}, 10)).toEqual([]);
    expect(await listDeletions(store)).toMatchObject([{ what: "run", id, by: "web" }]);
    await expect(deleteRun(store, id)).rejects.toMatchObject({ code: "unknown-run" });
  });

  it("takes a user's conversation and leaves that of another user", async () => {
    const store = await open();
    const { crew } = openDesk(["a [BILLING]", "b [DONE]", "c [DONE]", "d [BILLING]", "e [DONE]"], store);
    await crew.conversation("t1", { user: "anna" }).run("1");
    await crew.conversation("t1", { user: "anna" }).run("2");
    await crew.conversation("t1", { user: "bert" }).run("3");
    expect(await deleteConversation(store, { id: "t1", crew: "desk", user: "anna" })).toMatchObject({ runs: 2 });
    expect((await store.list()).map(({ user }) => user)).toEqual(["bert"]);
    expect(await crew.conversation("t1", { user: "anna" }).state()).toBeUndefined();
    expect(await crew.conversation("t1", { user: "bert" }).state()).toBeDefined();
    const again = deleteConversation(store, { id: "t1", crew: "desk", user: "anna" });
    await expect(again).rejects.toMatchObject({ code: "unknown-session" });
  });

  it("takes everything of a user", async () => {
    const store = await open();
    const { crew } = openDesk(["a [BILLING]", "b [DONE]", "c [BILLING]", "d [DONE]", "e [BILLING]", "f [DONE]"], store);
    await crew.run("alone", { user: "anna" });
    await crew.conversation("t1", { user: "anna" }).run("together");
    await crew.run("other", { user: "bert" });
    expect(await deleteUser(store, "anna")).toMatchObject({ what: "user", runs: 2 });
    expect((await store.list()).map(({ user }) => user)).toEqual(["bert"]);
    expect((await store.documents("session")).length).toBe(0);
    await expect(deleteUser(store, "anna")).rejects.toMatchObject({ code: "unknown-user" });
  });

  it("takes what agents remember of a user, also of one without runs, and nothing of another user", async () => {
    const store = await open();
    const { crew } = openDesk(["a [BILLING]", "b [DONE]", "c [BILLING]", "d [DONE]"], store);
    const { runId } = await crew.run("alone", { user: "anna" });
    for (const [id, scope] of Object.entries({ m1: "user/anna", m2: "user/anna", m3: "user/anna2", m4: "crew/desk" }))
      await store.remember({ id, scope, text: id, terms: id, tags: [], runId, path: "0", at: 1 });
    expect(await deleteUser(store, "anna")).toMatchObject({ what: "user", runs: 1, memories: 2 });
    expect((await store.memories()).map(({ id }) => id).sort()).toEqual(["m3", "m4"]);
    expect(await deleteUser(store, "anna2")).toMatchObject({ runs: 0, memories: 1 });
    expect((await store.memories()).map(({ id }) => id)).toEqual(["m4"]);
    const noted = new Map((await listDeletions(store)).map(({ id, memories }) => [id, memories]));
    expect(Object.fromEntries(noted)).toEqual({ anna: 2, anna2: 1 });
    await expect(deleteUser(store, "anna")).rejects.toMatchObject({ code: "unknown-user" });
  });

  it("drops bytes with the last run that refers to them", async () => {
    const store = await open();
    const { crew } = openDesk(["a [BILLING]", "b [DONE]", "c [BILLING]", "d [DONE]"], store);
    const first = await crew.run("1", { user: "anna" });
    const second = await crew.run("2");
    const shared = await store.saveBlob(first.runId, Buffer.from("shared"));
    await store.saveBlob(second.runId, Buffer.from("shared"));
    const own = await store.saveBlob(first.runId, Buffer.from("own"));
    await deleteUser(store, "anna");
    expect([await store.readBlob(own), (await store.readBlob(shared))?.byteLength]).toEqual([undefined, 6]);
    await deleteRun(store, second.runId);
    expect(await store.readBlob(shared)).toBeUndefined();
  });

  it("waits for nothing: a run that is running is refused, with all that belongs to the same user", async () => {
    const store = await open();
    const { crew } = openDesk(["a [BILLING]", "b [DONE]", undefined], store);
    await crew.run("done", { user: "anna" });
    const running = await crew.begin("x", { user: "anna" });
    await expect(deleteUser(store, "anna")).rejects.toMatchObject({ code: "run-active" });
    expect(await store.list()).toHaveLength(2);
    await running.handle?.cancel();
    expect(await deleteUser(store, "anna")).toMatchObject({ runs: 2 });
  });
});

it("a conversation goes on after its newest run was deleted", async () => {
  const store = openMemoryStore();
  const { crew, seen } = openDesk(["a [BILLING]", "b [DONE]", "c [DONE]", "d [DONE]"], store);
  const talk = crew.conversation("t");
  await talk.run("1");
  const second = await talk.run("2");
  await deleteRun(store, second.runId);
  expect(await talk.run("3")).toMatchObject({ path: ["billing"] });
  expect(seen.at(-1)).not.toContain("user: 2");
});

it("the inbox lists what paused runs wait for, the newest pause first", async () => {
  const store = openMemoryStore();
  const { crew } = openDesk(
    ["a [BILLING]", "Which? [ASK]", "b [BILLING]", "Where? [ASK]", "c [BILLING]", "d [DONE]"],
    store,
  );
  const first = await crew.run("1", { user: "anna" });
  const second = await crew.run("2");
  await crew.run("3");
  const inbox = await listInbox(store);
  expect(inbox.map(({ runId }) => runId)).toEqual([second.runId, first.runId]);
  expect(inbox[0]?.paused).toMatchObject({ agent: "billing", reason: "signal" });
  expect(await listInbox(store, { user: "anna" })).toMatchObject([{ runId: first.runId }]);
  expect(await listInbox(store, { limit: 1 })).toHaveLength(1);
});

describe("the request of a model call", () => {
  it("is found by replay, as the model got it", async () => {
    const store = openMemoryStore();
    const { crew } = openDesk(["Money. [BILLING]", "Five. [DONE]"], store);
    const { runId } = await crew.run("What was it?");
    const events = await store.read(runId);
    const calls = events.flatMap(({ type, seq = -1 }) => (type === "model.called" ? [seq] : []));
    expect(await crew.readRequest(runId, calls[1] ?? -1)).toMatchObject({
      model: "m/m",
      agent: "billing",
      system: expect.stringContaining("Bill."),
      messages: [{ text: "What was it?" }, { text: "Money. [BILLING]" }],
    });
    expect(await crew.readRequest(runId, calls[0] ?? -1)).toMatchObject({ agent: "triage" });
    expect(await store.read(runId)).toEqual(events);
    await expect(crew.readRequest(runId, 0)).rejects.toMatchObject({ code: "bad-option" });
    await expect(crew.readRequest(runId, 999)).rejects.toMatchObject({ code: "bad-option" });
    await expect(crew.readRequest(toRunId("run_x"), 0)).rejects.toMatchObject({ code: "unknown-run" });
  });
});

describe("baton delete", () => {
  const files = {
    "baton.yaml": "",
    "a.md": "---\nid: a\nmodels: [openai/x]\n---\nAnswer.",
    "replies.yaml": "a: [one]\n",
  };

  it("deletes what is meant, with --yes where nobody can be asked, and shows its log", () => {
    const cwd = writeCrew(files);
    expect(runBaton(["run", "a.md", "hello", "--script", "replies.yaml"], { cwd }).exitCode).toBe(0);
    const refused = runBaton(["delete", "run", "last"], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("give --yes") });
    expect(runBaton(["delete", "run", "last", "--yes"], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^deleted run run_/),
    });
    expect(runBaton(["runs"], { cwd }).stderr).toContain("no runs are stored here yet");
    expect(runBaton(["delete", "--log"], { cwd }).stdout).toMatch(/deleted run run_/);
    expect(runBaton(["delete", "user", "anna", "--yes"], { cwd })).toMatchObject({ exitCode: 1 });
    expect(runBaton(["delete", "conversation", "t", "--yes"], { cwd })).toMatchObject({ exitCode: 1 });
    expect(runBaton(["delete", "crew", "t"], { cwd })).toMatchObject({ exitCode: 2 });
    expect(runBaton(["delete"], { cwd })).toMatchObject({ exitCode: 2 });
  });
});
