import { describe, expect, it } from "vitest";
import { script } from "../src/index.ts";
import { connectHttp, forms, textOf } from "./mcp-clients.ts";
import { askingReplies, json, openServer, tokenLine } from "./open-server.ts";

const crewFiles = (name: string, more = "") => ({
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"\nname: "${name}"\nagents: [helper]\n${more}`,
  "agents/helper.md": "---\nid: helper\nmodels: [openai/x]\n---\nHelp.",
});

/** A crew whose model takes its time. */
const slow = () => script({ helper: [{ text: "Done.", latencyMs: 60_000 }] });

describe.each(forms)("a client of the form %s over HTTP", (form) => {
  it("finds each crew as a tool, and the tools for runs", async () => {
    const { server } = await openServer();
    const client = await connectHttp(server, { form });
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual(["desk", "get_run", "cancel_run", "resume_run"]);
    expect(tools[0]).toMatchObject({ title: "desk", description: expect.stringContaining("Answers customers") });
  });

  it("runs a crew, and hears who is at work", async () => {
    const { server, store, lines } = await openServer();
    const client = await connectHttp(server, { form });
    const heard: string[] = [];
    const told = await client.call("desk", { input: "What was it?" }, { onProgress: (message) => heard.push(message) });
    expect(textOf(told)).toBe("Five.");
    expect(told.structuredContent).toMatchObject({ status: "completed", output: "Five.", path: ["triage", "billing"] });
    const { runId } = told.structuredContent;
    expect(heard).toEqual([
      `run ${runId} began`,
      "triage is at work",
      "triage hands over to billing",
      "billing is at work",
    ]);
    const [started] = await store.read(runId as never);
    expect(started?.data).toMatchObject({ by: "operator", user: "operator", isServed: true });
    expect(lines.join("\n")).toMatch(new RegExp(`200 POST /mcp \\d+ms token=operator run=${runId}`));
  });

  it("gets the run's id when the run takes long, and its result later", async () => {
    const { server, ask } = await openServer({ replies: askingReplies, mcp: { waitMs: 0 } });
    const client = await connectHttp(server, { form });
    const told = await client.call("desk", { input: "x" });
    expect(told.structuredContent.status).toMatch(/running|paused/);
    const { runId } = told.structuredContent;
    const later = await client.call("get_run", { runId, wait: 20 });
    expect(later.structuredContent).toMatchObject({ runId, status: "paused", paused: { prompt: "Which?" } });
    expect(textOf(later)).toContain("resume_run");
    await client.call("resume_run", { runId, answer: "the left one" });
    const last = await client.call("get_run", { runId, wait: 20 });
    expect(textOf(last)).toBe("That one.");
    expect((await ask(`/v1/runs/${runId}`)).status).toBe(200);
  });

  it("is asked by a result what a crew asks, if nobody can be asked, and answers with resume_run", async () => {
    const { server } = await openServer({ replies: askingReplies });
    const client = await connectHttp(server, { form });
    const told = await client.call("desk", { input: "x" });
    expect(told.structuredContent).toMatchObject({ status: "paused", paused: { reason: "signal", prompt: "Which?" } });
    const answered = await client.call("resume_run", { runId: told.structuredContent.runId, answer: "left" });
    expect(textOf(answered)).toBe("That one.");
  });

  it("cancels a run", async () => {
    const { server } = await openServer({ files: crewFiles("helper"), script: slow(), mcp: { waitMs: 10 } });
    const client = await connectHttp(server, { form });
    const { runId } = (await client.call("helper", { input: "x" })).structuredContent;
    expect((await client.call("cancel_run", { runId })).structuredContent).toMatchObject({ status: "cancelled" });
    expect((await client.call("get_run", { runId })).structuredContent).toMatchObject({ status: "cancelled" });
  });

  it("cancels the run of a call that it cancels", async () => {
    const { server, store } = await openServer({ files: crewFiles("helper"), script: slow() });
    const client = await connectHttp(server, { form });
    const ending = new AbortController();
    const onProgress = (message: string) => void (message === "helper is at work" && ending.abort());
    const call = client.call("helper", { input: "x" }, { signal: ending.signal, onProgress });
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await store.list())[0]?.status).toBe("cancelled");
  });

  it("continues a conversation", async () => {
    const { server, store } = await openServer();
    const client = await connectHttp(server, { form });
    await client.call("desk", { input: "x", conversation: "any client's id" });
    await client.call("desk", { input: "y", conversation: "any client's id" });
    const [second] = await store.list();
    const [started] = await store.read(second?.runId as never);
    expect(started?.data).toMatchObject({ session: { n: 2 } });
  });

  it("is told what was wrong with a call, and what failed in a run", async () => {
    const failing = script({ helper: [{ error: { status: 400, message: "no" } }] });
    const { server } = await openServer({ files: crewFiles("helper"), script: failing });
    const client = await connectHttp(server, { form });
    const bad = await client.call("helper", { inputt: "x" });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toMatch(/input/);
    const unknown = await client.call("get_run", { runId: "run_0000" });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining("unknown-run")]);
    const failed = await client.call("helper", { input: "x" });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: "failed" } });
    expect(textOf(failed)).toMatch(/failed: provider|failed: \w+/);
  });
});

describe("the tools of MCP over HTTP", () => {
  it("have names that every client takes, whatever the crew's name is", async () => {
    const { server } = await openServer({ files: crewFiles("Hỗ trợ khách: 24/7") });
    const client = await connectHttp(server);
    const [tool] = await client.tools();
    expect(tool).toMatchObject({ name: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), title: "Hỗ trợ khách: 24/7" });
  });

  it("are not confused with a crew of the same name", async () => {
    const { server } = await openServer({ files: crewFiles("get_run"), replies: { helper: ["Hello."] } });
    const client = await connectHttp(server);
    const [crew] = await client.tools();
    expect(crew?.name).toMatch(/^crew_get_run_/);
    expect(textOf(await client.call(crew?.name ?? "", { input: "x" }))).toBe("Hello.");
    expect(textOf(await client.call("get_run"))).toMatch(/^Your newest runs:\nrun_\S+ {2}get_run {2}completed {2}x$/);
  });

  it("hide crews and runs that a token may not use", async () => {
    const tokens =
      tokenLine("elsewhere", "scopes: [run, read, answer], crews: [lab]") +
      tokenLine("other", "scopes: [run]") +
      tokenLine("reader", "scopes: [run, read]");
    const { server } = await openServer({ tokens });
    const elsewhere = await connectHttp(server, { token: "elsewhere" });
    expect((await elsewhere.tools()).map(({ name }) => name)).not.toContain("desk");
    await expect(elsewhere.call("desk", { input: "x" })).rejects.toThrow(/not found/i);
    const owner = await connectHttp(server);
    const { runId } = (await owner.call("desk", { input: "x" })).structuredContent;
    for (const token of ["elsewhere", "other"]) {
      const client = await connectHttp(server, { token });
      for (const tool of ["get_run", "cancel_run", "resume_run"])
        expect(textOf(await client.call(tool, { runId }))).toContain("unknown-run");
      expect(textOf(await client.call("get_run"))).toBe("You have started no runs.");
    }
    const reader = await connectHttp(server, { token: "reader" });
    expect((await reader.call("get_run", { runId })).structuredContent).toMatchObject({ status: "completed" });
    expect(textOf(await reader.call("cancel_run", { runId }))).toContain("forbidden");
  });

  it("heed the limits of a token", async () => {
    const tokens = tokenLine("small", "scopes: [run], max_runs: 1");
    const options = { tokens, files: crewFiles("helper"), script: slow(), mcp: { waitMs: 10 } };
    const { server } = await openServer(options);
    const client = await connectHttp(server, { token: "small" });
    expect((await client.call("helper", { input: "x" })).structuredContent.status).toBe("running");
    expect(textOf(await client.call("helper", { input: "x" }))).toContain("rate-limited");
  });

  it("answer errors of the server in the protocol's form", async () => {
    const { ask } = await openServer();
    const refused = await ask("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" }, token: "wrong" });
    expect([refused.status, await json(refused)]).toEqual([
      401,
      { jsonrpc: "2.0", id: null, error: expect.objectContaining({ data: { code: "unauthorized" } }) },
    ]);
  });

  it("let a run go on that the server lets go of", async () => {
    const { server } = await openServer({ files: crewFiles("helper"), script: slow() });
    const client = await connectHttp(server);
    const begun = Promise.withResolvers<void>();
    const onProgress = (message: string) => void (message === "helper is at work" && begun.resolve());
    const call = client.call("helper", { input: "x" }, { onProgress });
    await begun.promise;
    await server.stop(0);
    expect((await call).structuredContent).toMatchObject({ status: "running" });
  });
});
