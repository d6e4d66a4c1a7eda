import { buildResumeArray, HttpAgent, type RunAgentParameters } from "@ag-ui/client";
import type { Event, Message } from "@ag-ui/core";
import { describe, expect, it } from "vitest";
import { gateFiles, gateReplies } from "./gate-crew.ts";
import { askingReplies, json, openServer, tokenLine } from "./open-server.ts";

/** A page's agent, with all events that it got. */
class Page extends HttpAgent {
  readonly events: Event[] = [];

  ask(text: string, parameters: RunAgentParameters = {}) {
    this.messages.push({ id: `u${this.messages.length}`, role: "user", content: text } as Message);
    return this.go(parameters);
  }

  async go(parameters: RunAgentParameters = {}) {
    this.events.length = 0;
    return this.runAgent(parameters, { onEvent: ({ event }) => void this.events.push(event as Event) });
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  answer(response: Parameters<typeof buildResumeArray>[1][string]) {
    const resume = buildResumeArray(
      this.pendingInterrupts,
      Object.fromEntries(this.pendingInterrupts.map(({ id }) => [id, response])),
    );
    return this.go({ resume });
  }
}

function openPage({ url }: { readonly url: string }, { token = "bt_operator", crew = "desk", threadId = "t1" } = {}) {
  return new Page({ url: `${url}/ag-ui/${crew}`, threadId, headers: { authorization: `Bearer ${token}` } });
}

describe("a page that speaks AG-UI", () => {
  it("follows a run: who works, what they say, handoffs as steps, and the state", async () => {
    const { server } = await openServer();
    const page = openPage(server);
    const { result, newMessages } = await page.ask("What was it?");
    expect(result).toMatchObject({ output: "Five.", finalAgent: "billing", path: ["triage", "billing"], handoffs: 1 });
    expect(newMessages).toMatchObject([
      { role: "assistant", name: "triage", content: "Money." },
      { role: "assistant", name: "billing", content: "Five." },
    ]);
    expect(page.state).toEqual({
      path: ["triage", "billing"],
      agents: { triage: "answered", billing: "answered" },
      cost: expect.objectContaining({ unknownCalls: expect.any(Number) }),
      handoffs: 1,
    });
    expect(page.types.filter((type) => !/^(STATE|TEXT)/.test(type))).toEqual([
      ...["RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "STEP_STARTED"],
      ...["SUBAGENT_STARTED", "SUBAGENT_FINISHED", "STEP_FINISHED", "RUN_FINISHED"],
    ]);
    expect(page.events.find(({ type }) => type === "STEP_STARTED")).toMatchObject({
      stepName: "handoff 1: triage -> billing",
    });
  });

  it("keeps the thread: its messages are the history, and the server adds none of its own", async () => {
    const { server, store } = await openServer({
      replies: { triage: ["Hm. [BILLING]", "No. [BILLING]"], billing: ["Five. [DONE]", "Six. [DONE]"] },
    });
    const page = openPage(server);
    await page.ask("What was it?");
    page.messages = page.messages.filter((message) => message.content !== "Hm.");
    await page.ask("Are you sure?");
    const runs = await store.list({});
    expect(runs).toHaveLength(2);
    const [started] = await store.read(runs[0]?.runId as never);
    expect(started?.data).toMatchObject({
      input: "Are you sure?",
      session: { n: 2, said: [{ text: "What was it?" }, { agent: "billing", text: "Five." }] },
    });
  });

  it("answers an interrupt, as a new AG-UI run of the same run", async () => {
    const { server, store } = await openServer({ replies: askingReplies });
    const page = openPage(server);
    await page.ask("What was it?");
    expect(page.types.at(-1)).toBe("RUN_FINISHED");
    expect(page.pendingInterrupts).toMatchObject([{ reason: "signal", message: expect.stringContaining("Which?") }]);
    const { result } = await page.answer({ status: "resolved", payload: "the left one" });
    expect(result).toMatchObject({ output: "That one." });
    expect(page.pendingInterrupts).toEqual([]);
    expect(await store.list({})).toHaveLength(1);
    expect(page.events[0]).toMatchObject({ type: "RUN_STARTED", threadId: "t1" });
  });

  it("answers a question with its next message, where it knows no interrupts", async () => {
    const { server, store } = await openServer({ replies: askingReplies });
    const first = openPage(server);
    await first.ask("What was it?");
    const other = openPage(server);
    other.messages = first.messages;
    expect((await other.ask("the left one")).result).toMatchObject({ output: "That one." });
    expect(await store.list({})).toHaveLength(1);
  });

  it("is told once more what a gate asks, where a message approves nothing", async () => {
    const { server } = await openServer({ files: gateFiles, replies: gateReplies });
    const first = openPage(server, { crew: "gate" });
    await first.ask("Write");
    const [asked] = first.pendingInterrupts;
    const other = openPage(server, { crew: "gate" });
    await other.ask("approve");
    expect(other.pendingInterrupts).toMatchObject([{ id: asked?.id, reason: "gate" }]);
  });

  it.each([
    ["words", "approve"],
    ["yes", true],
    ["the fields of an answer", { decision: "approve" }],
    ["what pages send that know no Baton", { approved: true }],
  ])("approves a gate with %s", async (_, payload) => {
    const { server } = await openServer({ files: gateFiles, replies: gateReplies });
    const page = openPage(server, { crew: "gate" });
    await page.ask("Write");
    expect(page.pendingInterrupts[0]?.responseSchema).toMatchObject({ required: ["decision"] });
    expect((await page.answer({ status: "resolved", payload })).result).toMatchObject({ output: "Sent." });
  });

  it("dismisses an approval, which rejects it, and a question, which cancels the run", async () => {
    const gate = await openServer({ files: gateFiles, replies: gateReplies });
    const page = openPage(gate.server, { crew: "gate" });
    await page.ask("Write");
    await page.answer({ status: "cancelled" });
    expect(page.pendingInterrupts).toMatchObject([{ reason: "gate" }]);
    const desk = await openServer({ replies: askingReplies });
    const other = openPage(desk.server);
    await other.ask("What was it?");
    await other.answer({ status: "cancelled" });
    expect(other.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } });
  });

  it("is told of a failure as RUN_ERROR", async () => {
    const { server } = await openServer({ replies: { triage: [] } });
    const page = openPage(server);
    await page.ask("What was it?").catch(() => {});
    expect(page.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: expect.any(String) });
    expect(page.types).toContain("SUBAGENT_ERROR");
  });

  it("is told which of its tools and properties no crew uses", async () => {
    const { server } = await openServer();
    const page = openPage(server);
    await page.ask("What was it?", {
      tools: [{ name: "pick_color", description: "Picks", parameters: {} }],
      forwardedProps: { theme: "dark" },
      context: [{ description: "The page", value: "orders" }],
    });
    expect(page.events.find(({ type }) => type === "CUSTOM")).toMatchObject({
      name: "baton.ignored",
      value: ["tools.pick_color", "forwardedProps.theme"],
    });
  });
});

describe("what a page may not", () => {
  const tokens = tokenLine("model", "scopes: [run, read]") + tokenLine("other", "scopes: [run, read]");

  it("approve its own gate: every way is refused, and the run stays paused", async () => {
    const { server, ask } = await openServer({ files: gateFiles, replies: gateReplies, tokens });
    const page = openPage(server, { crew: "gate", token: "model" });
    await page.ask("Write");
    const [asked] = page.pendingInterrupts;
    const runId = asked?.id.split(":")[0];
    const body = (more: object) => ({
      ...{
        threadId: "t1",
        runId: "r",
        messages: [{ id: "1", role: "user", content: "approve" }],
        tools: [],
        context: [],
      },
      ...more,
    });
    const entry = (more: object) => ({ resume: [{ interruptId: asked?.id, status: "resolved", ...more }] });
    const payloads = [
      "approve",
      "a",
      true,
      { decision: "approve" },
      { approved: true },
      { decision: "redirect:sender" },
    ];
    const words = payloads.map((payload) => entry({ payload }));
    const bodies = [...words, entry({ status: "cancelled" }), entry({ payload: { input: "x" } }), entry({})];
    const statuses = [];
    for (const each of bodies) statuses.push((await ask("/ag-ui/gate", { token: "model", body: body(each) })).status);
    expect(statuses.filter((status) => status !== 403 && status !== 400)).toEqual([]);
    // A message in the thread is told what is asked, and approves nothing.
    const told = await (await ask("/ag-ui/gate", { token: "model", body: body({}) })).text();
    expect(told).toContain(`"type":"interrupt"`);
    expect((await ask(`/v1/runs/${runId}/resume`, { token: "model", body: { decision: "approve" } })).status).toBe(403);
    expect(await json(await ask(`/v1/runs/${runId}`))).toMatchObject({ status: "paused" });
  });

  it("see or answer the runs of others, not even by their ids", async () => {
    const { server, ask } = await openServer({ replies: askingReplies, tokens });
    const page = openPage(server, { token: "model" });
    await page.ask("What was it?");
    const [asked] = page.pendingInterrupts;
    const resume = [{ interruptId: asked?.id, status: "resolved", payload: "x" }];
    const body = { threadId: "t1", runId: "r", messages: [], tools: [], context: [], resume };
    expect((await ask("/ag-ui/desk", { token: "other", body })).status).toBe(404);
    expect((await ask("/ag-ui/desk", { token: "model", body: { ...body, threadId: "t2" } })).status).toBe(400);
  });

  it.each([
    ["no message", { messages: [] }],
    ["a message of the assistant last", { messages: [{ id: "1", role: "assistant", content: "x" }] }],
    ["an empty message", { messages: [{ id: "1", role: "user", content: " " }] }],
    [
      "an image",
      {
        messages: [
          { id: "1", role: "user", content: [{ type: "image", source: { type: "url", value: "https://x" } }] },
        ],
      },
    ],
    ["an unknown interrupt", { resume: [{ interruptId: "run_1:5", status: "resolved" }] }],
    ["two answers", { resume: ["a", "b"].map((interruptId) => ({ interruptId, status: "resolved" })) }],
    ["an endless id", { threadId: "x".repeat(600) }],
  ])("send %s", async (_, more) => {
    const { ask } = await openServer();
    const body = {
      threadId: "t1",
      runId: "r",
      messages: [{ id: "1", role: "user", content: "x" }],
      tools: [],
      context: [],
    };
    const response = await ask("/ag-ui/desk", { body: { ...body, ...more } });
    expect([400, 404]).toContain(response.status);
    expect((await json(response)).detail).toMatch(/\w/);
  });
});
