import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { type Message, TaskState } from "@a2a-js/sdk";
import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../src/index.ts";
import type { RunId } from "../src/vocabulary/ids.ts";
import { bindings, collect, connect, request, say, send, textOf } from "./a2a-client.ts";
import { gateFiles, gateReplies } from "./gate-crew.ts";
import { askingReplies, json, openServer, tokenLine } from "./open-server.ts";

describe.each(bindings)("the A2A SDK's client, by %s", (binding) => {
  it("reads the card, sends a message, and gets the output as an artifact", async () => {
    const { server } = await openServer();
    const client = await connect(server, { binding });
    expect(client.transport.protocolName).toBe(binding);
    expect(await client.getAgentCard()).toMatchObject({
      name: "desk",
      description: "Answers customers",
      skills: [{ id: "triage" }, { id: "billing" }],
    });
    const task = await send(client, say("What was it?"));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts.map(textOf)).toEqual(["Five."]);
    expect(task.history.map(textOf)).toEqual(["What was it?", "Money.", "Five."]);
    expect(task.metadata).toMatchObject({ baton: { path: ["triage", "billing"], handoffs: 1, cost: {} } });
    expect((await client.getTask({ tenant: "", id: task.id, historyLength: 1 })).history.map(textOf)).toEqual([
      "Five.",
    ]);
    expect((await client.getTask({ tenant: "", id: task.id, historyLength: 0 })).history).toEqual([]);
  });

  it("streams what agents say on the way, then the output", async () => {
    const { server } = await openServer();
    const client = await connect(server, { binding });
    expect(await collect(client.sendMessageStream(request(say("What was it?"))))).toEqual([
      ...["task WORKING", "WORKING Money.", "output Five.", "COMPLETED"],
    ]);
  });

  it("is asked, and answers with a message that names the task", async () => {
    const { server, store } = await openServer({ replies: askingReplies });
    const client = await connect(server, { binding });
    const asked = await send(client, say("What was it?"));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textOf(asked.status?.message)).toContain("Which?");
    const { id: taskId, contextId } = asked;
    const told = await collect(client.sendMessageStream(request(say("the left one", { taskId, contextId }))));
    expect(told).toEqual(["task INPUT_REQUIRED", "WORKING", "output That one.", "COMPLETED"]);
    expect(await store.list({})).toHaveLength(1);
    await expect(send(client, say("again", { taskId }))).rejects.toThrow(/does not wait for an answer/);
    await expect(collect(client.resubscribeTask({ tenant: "", id: taskId }))).rejects.toThrow(/has ended/);
  });

  it("continues a context, lists its tasks, and finds the task of a context", async () => {
    const { server, store } = await openServer();
    const client = await connect(server, { binding });
    const contextId = "a context / of mine";
    const first = await send(client, say("What was it?", { contextId }));
    expect(first.contextId).toBe(contextId);
    const second = await send(client, say("Sure?", { contextId }));
    const [started] = await store.read(second.id as RunId);
    expect(started?.data).toMatchObject({ session: { n: 2, said: [{ text: "What was it?" }, {}, {}] } });
    const query = {
      ...{ tenant: "", contextId, status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: "" },
      ...{ statusTimestampAfter: undefined, pageSize: 1 },
    };
    const page = await client.listTasks(query);
    expect(page).toMatchObject({ totalSize: 2, tasks: [{ id: second.id, contextId, artifacts: [] }] });
    const rest = await client.listTasks({ ...query, pageToken: page.nextPageToken, includeArtifacts: true });
    expect(rest.tasks.map(({ id, artifacts }) => [id, artifacts.map(textOf)])).toEqual([[first.id, ["Five."]]]);
    expect(rest.nextPageToken).toBe("");
    expect((await client.listTasks({ ...query, contextId: "other" })).tasks).toEqual([]);
  });

  it("cancels a task that waits, and none that has ended", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const client = await connect(server, { binding });
    const { id } = await send(client, say("What was it?"));
    const cancelled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(/has ended/);
  });

  it("knows a task after a restart, on another server with the same store", async () => {
    const store = openMemoryStore();
    const before = await openServer({ store, replies: askingReplies });
    const { id: taskId } = await send(await connect(before.server, { binding }), say("What was it?"));
    await before.server.stop(0);
    const after = await openServer({ store, replies: askingReplies, folder: before.folder });
    const client = await connect(after.server, { binding });
    expect((await client.getTask({ tenant: "", id: taskId })).status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });

  it("is told of a failure, and of what it may not send", async () => {
    const { server } = await openServer({ replies: { triage: [] } });
    const client = await connect(server, { binding });
    const failed = await send(client, say("What was it?"));
    expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(textOf(failed.status?.message)).toMatch(/\w+/);
    await expect(client.getTask({ tenant: "", id: "run_none" })).rejects.toThrow(/no run/);
    await expect(send(client, say(" "))).rejects.toThrow(/no text/);
    const file = {
      ...say(""),
      parts: [{ ...say("").parts[0], content: { $case: "url", value: "https://x.example" } }],
    };
    await expect(send(client, file as Message)).rejects.toThrow(/takes text/);
  });

  it("cannot approve its own gate: every way is refused, and the run stays paused", async () => {
    const tokens = tokenLine("model", "scopes: [run, read]");
    const { server, ask } = await openServer({ files: gateFiles, replies: gateReplies, tokens });
    const client = await connect(server, { binding, crew: "gate", token: "model" });
    const { id: taskId, contextId } = await send(client, say("Write"));
    const data = (value: unknown): Message => ({
      ...say("", { taskId }),
      parts: [{ content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "application/json" }],
    });
    const tries = [
      ...[say("approve", { taskId }), say("a", { taskId, contextId }), say("redirect sender", { taskId })],
      ...[data({ decision: "approve" }), data({ decision: "reject" }), data({ input: "approve" })],
    ];
    for (const message of tries) await expect(send(client, message)).rejects.toThrow(/scope 'answer'|403/);
    for (const message of tries)
      await expect(collect(client.sendMessageStream(request(message)))).rejects.toThrow(/scope 'answer'|403/);
    await expect(send(client, say("approve", { contextId }))).rejects.toThrow(/waits for an answer/);
    expect(await json(await ask(`/v1/runs/${taskId}`))).toMatchObject({ status: "paused" });
    const human = await connect(server, { binding, crew: "gate" });
    expect((await send(human, say("approve", { taskId }))).artifacts.map(textOf)).toEqual(["Sent."]);
  });

  it("sees no task of another token", async () => {
    const tokens = tokenLine("one", "scopes: [run, read]") + tokenLine("two", "scopes: [run, read]");
    const { server } = await openServer({ replies: askingReplies, tokens });
    const { id } = await send(await connect(server, { binding, token: "one" }), say("What was it?"));
    const other = await connect(server, { binding, token: "two" });
    await expect(other.getTask({ tenant: "", id })).rejects.toThrow();
    await expect(other.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow();
    await expect(send(other, say("x", { taskId: id }))).rejects.toThrow();
    const query = { tenant: "", contextId: "", status: TaskState.TASK_STATE_UNSPECIFIED, pageToken: "" };
    expect((await other.listTasks({ ...query, statusTimestampAfter: undefined })).tasks).toEqual([]);
  });
});

describe("cards", () => {
  it("are where A2A looks for them: the one crew's, or the one that is named", async () => {
    const { ask, server } = await openServer();
    const card = await (await ask("/.well-known/agent-card.json", { token: "" })).json();
    expect(card).toMatchObject({ name: "desk", supportedInterfaces: [{ url: `${server.url}/a2a/desk` }, {}] });
    expect(JSON.stringify(card)).not.toMatch(/openai|Read for/);
    expect((await ask("/a2a/nothing/.well-known/agent-card.json", { token: "" })).status).toBe(404);
  });

  it("name the public address", async () => {
    const { server } = await openServer({ publicUrl: "https://desk.example" });
    const card = await (await fetch(`${server.localUrl}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({ supportedInterfaces: [{ url: "https://desk.example/a2a/desk" }, {}] });
  });
});

describe("A2A without the SDK", () => {
  it("refuses other versions, unknown methods and bad tokens in each binding's own words", async () => {
    const { ask } = await openServer();
    const rpc = { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "x" } };
    const old = await (await ask("/a2a/desk", { body: rpc, headers: { "a2a-version": "0.3" } })).json();
    expect(old).toMatchObject({ id: 1, error: { code: -32009 } });
    expect(await (await ask("/a2a/desk", { body: { ...rpc, method: "Dance" } })).json()).toMatchObject({
      error: { code: -32601 },
    });
    const refused = await ask("/a2a/desk", { body: rpc, token: "wrong" });
    expect([refused.status, await refused.json()]).toMatchObject([401, { jsonrpc: "2.0", error: {} }]);
    const rest = await ask("/a2a/desk/tasks/x", { headers: { "a2a-version": "0.3" } });
    expect(rest.status).toBe(400);
    expect(await rest.json()).toMatchObject({ error: { message: expect.stringContaining("0.3") } });
  });
});

describe("the page on A2A", () => {
  it("shows a program that runs", async () => {
    const [, text = ""] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync("docs/a2a.md", "utf8")) ?? [];
    const { server } = await openServer({ replies: askingReplies });
    const env = { ...process.env, BATON_URL: server.url, BATON_TOKEN: "bt_operator" };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", text], {
      env,
    });
    expect(`${stdout}${stderr}`).toBe("That one.\n");
  });
});
