import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, type Model } from "../src/index.ts";
import { openServerApprovals } from "../src/servers/server-approvals.ts";
import { connectMcp } from "../src/tools/mcp-connection.ts";

const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "baton-mcp-pins-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A server without the SDK's, which takes no tool called `constructor`. */
const bareServer = `
import { createInterface } from "node:readline";
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bare", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "constructor", description: "builds", inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "built behind " + process.env.HTTPS_PROXY }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) }));
});
`;

function stdio(...habits: readonly string[]) {
  return { command: process.execPath, args: [script, join(folder, `log-${++count}`), ...habits] };
}

function open(server: object, calls: readonly (readonly [name: string, args: unknown])[], approves: boolean) {
  const home = join(folder, `home-${++count}`);
  mkdirSync(home, { mode: 0o700 });
  const model: Model = {
    name: "fake/m",
    call({ calls: number }) {
      const call = calls[number - 1];
      if (call === undefined) return { text: "Done.", toolCalls: [], finish: "stop" };
      return { text: "", toolCalls: [{ name: call[0], args: call[1] }], finish: "tool-calls" };
    },
  };
  const tools = [...new Set(calls.map(([name]) => name))];
  const crew = defineCrew(
    {
      name: "with a server",
      models: ["fake/m"],
      agents: [defineAgent({ id: "a", prompt: "Work.", tools })],
      mcp_servers: { test: server as never },
    },
    {
      models: { "fake/m": model },
      env: { BATON_HOME: home, HTTPS_PROXY: "http://proxy.test" },
      ...(approves && { approveServer: () => true }),
    },
  );
  const run = async () => {
    const ends: string[] = [];
    await crew.run("Go", {
      onEvent: ({ type, data }) => {
        if (type === "tool.completed") ends.push(data.result);
        if (type === "tool.failed") ends.push(`failed: ${data.message}`);
      },
    });
    return ends;
  };
  return { crew, run, home };
}

describe("the tools of an MCP server", () => {
  it("that are others after it was started again in the middle of a run are refused on every call", async () => {
    const { run } = open(
      stdio("drifting"),
      [
        ["test__die", {}],
        ["test__echo", { text: "one" }],
        ["test__echo", { text: "two" }],
        ["test__fail", {}],
      ],
      true,
    );
    const refused = "failed: 'echo' of MCP server 'test' changed when the server was started again";
    expect((await run()).slice(1)).toEqual([refused, refused, "failed: it is broken"]);
  });

  it("are pinned under any name, and their server is told which proxy to use", async () => {
    const bare = join(folder, "bare-server.mjs");
    writeFileSync(bare, bareServer);
    const { crew, run, home } = open({ command: process.execPath, args: [bare] }, [["test__constructor", {}]], false);
    const server = crew.definition.mcpServers.get("test");
    if (server === undefined) throw new Error("the crew has a server");
    openServerApprovals({ BATON_HOME: home }).save(server, { server: "test", what: "it", tools: {} });
    for (const _ of ["first used", "known"]) expect(await run()).toEqual(["built behind http://proxy.test"]);
  });
});

describe("an MCP server", () => {
  it("is shown with its folder and every variable's value before it is started, but for secrets", async () => {
    const env = {
      NODE_OPTIONS: "--import=./evil.mjs",
      API_KEY: "sk-proj-a8Fj2kLm9QwErTy7UiOpZx4C",
      DB_PASSWORD: "sunshine",
    };
    const { crew } = open({ ...stdio(), cwd: "test", env }, [["test__echo", { text: "hi" }]], false);
    const { message } = await crew.run("Go").then(
      () => ({ message: "it ran" }),
      (error: Error) => error,
    );
    expect(message).toContain(`in ${resolve("test")} with NODE_OPTIONS=--import=./evil.mjs`);
    expect(message).not.toContain(env.API_KEY);
    expect(message).not.toContain(env.DB_PASSWORD);
  });

  it("takes values as they are written, also empty ones", () => {
    const env = { A: "", B: true, C: 7, D: "two\nlines" };
    const { definition } = open({ command: "x", args: ["", true], env }, [], false).crew;
    expect(definition.mcpServers.get("test")).toMatchObject({
      args: ["", "true"],
      env: { A: "", B: "true", C: "7", D: "two\nlines" },
    });
    const far = open({ url: "http://x", headers: { E: "" } }, [], false).crew;
    expect(far.definition.mcpServers.get("test")).toMatchObject({ headers: { E: "" } });
  });

  it("whose command has its arguments in it says where they belong", async () => {
    const { crew } = open({ command: `${process.execPath} server.mjs` }, [["test__echo", {}]], true);
    await expect(crew.run("Go")).rejects.toMatchObject({
      code: "server-failed",
      message: expect.stringContaining("its arguments belong under 'args'"),
    });
  });

  it("that does not start in time is announced, and then shows what it said last", async () => {
    const hints: string[] = [];
    const server = { type: "stdio" as const, ...stdio("stuck"), env: {}, cwd: undefined };
    const onWait = (message: string) => void hints.push(message);
    await expect(
      connectMcp("test", server, { variables: {}, onWait, hintAfterMs: 4000, timeoutMs: 6000 }),
    ).rejects.toMatchObject({
      code: "server-failed",
      message: expect.stringContaining("waiting for the registry"),
    });
    expect(hints).toEqual([expect.stringContaining("MCP server 'test' has not answered within 4 s")]);
  }, 30_000);
});
