import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { connectStdio, type Form, forms, textOf } from "./mcp-clients.ts";
import { deskFiles } from "./open-server.ts";
import { packageCommand } from "./package-command.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  ...deskFiles,
  "replies.yaml": `triage: ["Money. [BILLING]"]\nbilling: ["Which? [ASK]", "That one. [DONE]"]\n`,
  "slow.yaml": `triage: [{ text: "Money. [BILLING]", latency_ms: 60000 }]\nbilling: ["Five. [DONE]"]\n`,
};
const scripted = [".", "--script", "replies.yaml"];
const slow = [".", "--script", "slow.yaml"];

describe.each(forms)("a client of the form %s on standard input and output", (form: Form) => {
  it("is asked what a crew asks, in a form that its person fills in", async () => {
    const asked: string[] = [];
    const answering = (message: string) => {
      asked.push(message);
      return { action: "accept", content: { answer: "the left one" } } as const;
    };
    const client = await connectStdio(scripted, { cwd: writeCrew(files), form, answering });
    const told = await client.call("desk", { input: "x" });
    expect([textOf(told), asked]).toEqual(["That one.", ["billing asks:\nWhich?"]]);
  });

  it("gets the question as a result if its person declines", async () => {
    const client = await connectStdio(scripted, {
      cwd: writeCrew(files),
      form,
      answering: () => ({ action: "decline" }),
    });
    const told = await client.call("desk", { input: "x" });
    expect(told.structuredContent.status).toBe("paused");
    expect(textOf(told)).toContain("the user chose to decline");
    const { runId } = told.structuredContent;
    expect(textOf(await client.call("resume_run", { runId, answer: "left" }))).toBe("That one.");
  });

  it("cancels the run of a call that it cancels", async () => {
    const client = await connectStdio(slow, { cwd: writeCrew(files), form });
    const ending = new AbortController();
    let runId = "";
    const onProgress = (message: string) => {
      runId = /run_\w+/.exec(message)?.[0] ?? runId;
      if (message === "triage is at work") ending.abort();
    };
    await expect(client.call("desk", { input: "x" }, { signal: ending.signal, onProgress })).rejects.toThrow();
    await expect.poll(async () => (await client.call("get_run", { runId })).structuredContent.status).toBe("cancelled");
  });
});

describe("baton mcp", () => {
  it.each(["SIGKILL", "SIGTERM", "stdin"] as const)("loses no run to %s in the middle of a call", async (how) => {
    const cwd = writeCrew(files);
    const first = await connectStdio(slow, { cwd });
    const begun = Promise.withResolvers<string>();
    let runId = "";
    const onProgress = (message: string) => {
      runId = /run_\w+/.exec(message)?.[0] ?? runId;
      if (message === "triage is at work") begun.resolve(runId);
    };
    const call = first.call("desk", { input: "x" }, { onProgress }).catch(() => undefined);
    await begun.promise;
    if (how === "stdin") await first.close();
    else process.kill(first.pid ?? 0, how);
    const told = await call;
    // On SIGTERM there is time to say how the run stands.
    if (how === "SIGTERM") expect(told?.structuredContent).toMatchObject({ status: "interrupted" });
    await first.close();

    const second = await connectStdio([".", "--script", "replies.yaml"], { cwd });
    expect(textOf(await second.call("get_run"))).toContain(`${runId}  desk  running  x`);
    // After kill -9, the lease of the process that died has to end first.
    await expect
      .poll(async () => (await second.call("get_run", { runId })).structuredContent.status, { timeout: 20_000 })
      .toBe("interrupted");
    const resumed = await second.call("resume_run", { runId });
    expect(resumed.structuredContent).toMatchObject({ runId, status: "paused" });
    expect(textOf(await second.call("resume_run", { runId, answer: "left" }))).toBe("That one.");
  });

  it.each([["SIGTERM"], ["SIGINT"], ["SIGHUP"], ["stdin"]])("ends with 0 on %s", async (how) => {
    const { child, ended } = startRaw([], writeCrew(files));
    child.stderr.once("data", () => (how === "stdin" ? child.stdin.end() : child.kill(how as NodeJS.Signals)));
    expect((await ended).code).toBe(0);
  });

  it("writes nothing but the protocol to standard output, whatever tools print", async () => {
    const cwd = writeCrew({
      ...files,
      "crew.yaml": `version: "2.0"\nname: desk\nagents: [loud]\n`,
      "agents/loud.md": "---\nid: loud\nrun: ../loud.ts#loud\n---\n",
      "loud.ts": `export const loud = () => { console.log("loud words"); process.stdout.write("more\\n"); return "Done."; };\n`,
    });
    const { child, ended } = startRaw([], cwd);
    const messages = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin.write("not json\n");
    const clientInfo = { name: "test", version: "1" };
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
    await messages.next();
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "desk", arguments: { input: "x" } } });
    await messages.next();
    child.stdin.end();
    const { stdout, stderr, code } = await ended;
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 1 }, { id: 2, result: {} }]);
    expect(stdout).toContain("Done.");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/loud words[\s\S]*more/)]);
  });

  it("says what a person of this machine has to do before a crew can run", async () => {
    const client = await connectStdio(["."], { cwd: writeCrew(files) });
    const told = await client.call("desk", { input: "x" });
    expect([told.isError, textOf(told)]).toEqual([true, expect.stringMatching(/^no-model: [\s\S]*OPENAI_API_KEY/)]);
  });

  it("refuses a crew with errors, and says so on standard error only", () => {
    const cwd = writeCrew({ ...files, "crew.yaml": "version: '2.0'\nname: desk\nagents: [nobody]\n" });
    const { exitCode, stdout, stderr } = runBaton(["mcp", "."], { cwd });
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("missing-agent-file");
  });

  it.each([
    ["an unknown option", ["mcp", "--dve"], 2, /did you mean|Did you mean/],
    ["a duration that is none", ["mcp", "--wait", "long"], 2, /--wait/],
    ["a crew that is not there", ["mcp", "nowhere"], 3, /nowhere/],
  ])("says what is wrong with %s", (_, args, code, message) => {
    const { exitCode, stderr, stdout } = runBaton(args, { cwd: writeCrew(files) });
    expect([exitCode, stdout]).toEqual([code, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("a crew whose tools come from another crew", () => {
  it("calls it by .mcp.json, and hands its answer on", async () => {
    const server = { command: process.execPath, args: [packageCommand(), "mcp", "desk", "--script", "desk/done.yaml"] };
    const cwd = writeCrew({
      ...Object.fromEntries(
        Object.entries(files).map(([path, text]) => [path === "baton.yaml" ? path : `desk/${path}`, text]),
      ),
      "desk/done.yaml": `triage: ["Money. [BILLING]"]\nbilling: ["Five euros. [DONE]"]\n`,
      ".mcp.json": JSON.stringify({ mcpServers: { office: server } }),
      "asker.md": "---\nmodels: [openai/x]\ntools: [office__desk]\n---\nAsk the desk.",
      "replies.yaml": `asker: [{ tools: [{ name: office__desk, args: { input: "How much?" } }] }, "It is five."]\n`,
    });
    const { exitCode, stdout, stderr } = runBaton(
      ["run", "asker.md", "What does it cost?", "--script", "replies.yaml", "--yes", "--events"],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain('"result":"Five euros."');
  });
});

/** Starts `baton mcp` without a client. */
function startRaw(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [packageCommand(), "mcp", ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", BATON_HOME: process.env["BATON_TESTS_HOME"] },
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (part) => {
    said.stdout += part;
  });
  child.stderr.on("data", (part) => {
    said.stderr += part;
  });
  return { child, ended: once(child, "exit").then(([code]) => ({ ...said, code: code as number | null })) };
}
