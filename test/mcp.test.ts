import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineAgent, defineCrew, type Model, openMemoryStore } from "../src/index.ts";
import type { McpServer } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { openMcpHttpServer } from "./mcp-http-server.ts";

const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "baton-mcp-"));
afterAll(() => rmSync(folder, { recursive: true }));
let home: string;
let log: string;
let count = 0;
beforeEach(() => {
  home = join(folder, `home-${++count}`);
  log = join(folder, `log-${count}`);
});

const stdio = (...habits: readonly string[]) => ({ command: process.execPath, args: [script, log, ...habits] });

/** A model that makes the given calls, one a turn, and then answers. */
function caller(calls: readonly (readonly [name: string, args: unknown])[]): Model {
  return {
    name: "fake/m",
    call({ calls: number }) {
      const call = calls[number - 1];
      const toolCalls = call === undefined ? [] : [{ name: call[0], args: call[1] }];
      return { text: call === undefined ? "Done." : "", toolCalls, finish: call === undefined ? "stop" : "tool-calls" };
    },
  };
}

interface Trial {
  readonly servers: Readonly<Record<string, unknown>>;
  readonly calls: readonly (readonly [name: string, args: unknown])[];
  readonly tools?: readonly string[];
  readonly approves?: boolean;
  readonly toolTimeoutMs?: number;
}

function crewOf({ servers, calls, tools, approves = true, toolTimeoutMs = 20_000 }: Trial) {
  const named = tools ?? [...new Set(calls.map(([name]) => name))];
  return defineCrew(
    {
      name: "with servers",
      models: ["fake/m"],
      agents: [defineAgent({ id: "a", prompt: "Work.", tools: named, tool_timeout: toolTimeoutMs })],
      mcp_servers: servers as Record<string, never>,
    },
    {
      models: { "fake/m": caller(calls) },
      env: { BATON_HOME: home, WORD: "from outside" },
      store: openMemoryStore(),
      ...(approves && { approveServer: () => true }),
    },
  );
}

async function outcomes(trial: Trial) {
  const events: BatonEvent[] = [];
  const crew = crewOf(trial);
  const result = await crew.run("Go", { onEvent: (event) => void events.push(event) });
  const ends = events.flatMap((event) =>
    event.type === "tool.completed"
      ? event.data.result
      : event.type === "tool.failed"
        ? `failed: ${event.data.message}`
        : [],
  );
  return { crew, result, ends };
}

const pids = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("an MCP server over stdio", () => {
  it("lends its tools for a run, and ends with it", async () => {
    const { crew, result, ends } = await outcomes({
      servers: { test: { ...stdio(), env: { GREETING: "$" + "{WORD}" } } },
      calls: [
        ["test__echo", { text: "hi" }],
        ["test__fail", {}],
        ["test__echo", { words: 1 }],
        ["test__dotted.name", {}],
        ["test__dotted_name", {}],
      ],
      tools: ["test__echo", "test__fail", "test__dotted.name", "test__dotted_name"],
    });
    expect(ends[0]).toBe("echo: hi from outside");
    expect(ends[1]).toBe("failed: it is broken");
    expect(ends[2]).toMatch(/^failed: the argument .*text/);
    expect(ends.slice(3)).toEqual(["dotted", "dotted_name"]);
    expect(result.status).toBe("completed");
    expect(pids()).toHaveLength(1);
    expect(pids().filter(isAlive)).toEqual([]);
    // Going over the run again starts nothing.
    expect(await crew.replay(result.runId)).not.toHaveProperty("divergence");
    expect(pids()).toHaveLength(1);
  });

  it("is not started where the crew is only loaded, or no agent needs it", async () => {
    await outcomes({ servers: { test: stdio() }, calls: [], tools: [] });
    expect(pids()).toEqual([]);
  });

  it("that is killed in the middle of a call is started again for the next", async () => {
    const { ends } = await outcomes({
      servers: { test: stdio() },
      calls: [
        ["test__die", {}],
        ["test__echo", { text: "back" }],
      ],
    });
    expect(ends).toEqual(["failed: MCP server 'test' ended while it was being called", "echo: back"]);
    expect(pids()).toHaveLength(2);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it("may print what is no message", async () => {
    const { ends } = await outcomes({ servers: { test: stdio("noisy") }, calls: [["test__echo", { text: "hi" }]] });
    expect(ends).toEqual(["echo: hi"]);
  });

  it("that hangs is given up when the tool's time is over", async () => {
    const { ends } = await outcomes({
      servers: { test: stdio() },
      calls: [
        ["test__hang", {}],
        ["test__echo", { text: "on" }],
      ],
      toolTimeoutMs: 500,
    });
    expect(ends).toEqual(["failed: did not finish within 0.5 s", "echo: on"]);
  });

  it("may explain a failure at length, of which the beginning is stored", async () => {
    const { ends } = await outcomes({ servers: { test: stdio() }, calls: [["test__rant", {}]] });
    expect(ends[0]?.length).toBeLessThan(70_000);
    expect(ends[0]).toMatch(/^failed: no no no /);
    expect(ends[0]).toContain("[… cut: 6000000 characters in all …]");
  });

  it("that gives 50 MB at once is cut off, and started again for the next call", async () => {
    const { ends } = await outcomes({
      servers: { test: stdio() },
      calls: [
        ["test__large", {}],
        ["test__echo", { text: "on" }],
      ],
    });
    expect(ends[0]).toMatch(
      /^failed: MCP server 'test' ended while it was being called \(it sent a message of more than 8 MB\)/,
    );
    expect(ends[1]).toBe("echo: on");
  });

  it("may have a thousand tools", async () => {
    const { ends } = await outcomes({ servers: { test: stdio("many") }, calls: [["test__tool_999", { text: "" }]] });
    expect(ends).toEqual(["999"]);
  });

  it.each([
    ["does not exist", () => ({ test: { command: "/no/such/program" } }), "server-failed", "ENOENT"],
    ["ends at once", () => ({ test: stdio("broken") }), "server-failed", "cannot find my configuration"],
    ["needs a variable", () => ({ test: { ...stdio(), env: { X: "$" + "{NOT_SET}" } } }), "no-variable", "NOT_SET"],
  ])("that %s stops the run before it begins", async (_, servers, code, why) => {
    const trial = { servers: servers(), calls: [["test__echo", { text: "" }]] as const };
    const error: Error = await crewOf(trial)
      .run("Go")
      .then(() => undefined)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(why);
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it("that has no such tool says what it has", async () => {
    const trial = { servers: { test: stdio() }, calls: [["test__nothing", {}]] as const };
    await expect(crewOf(trial).run("Go")).rejects.toMatchObject({
      code: "unknown-tool",
      message: expect.stringContaining("test__echo"),
    });
  });

  it("is refused where a tool has the same name as another server's", async () => {
    const trial = { servers: { test: stdio(), test__x: stdio() }, calls: [], tools: ["test__x__echo"] };
    await expect(crewOf(trial).run("Go")).rejects.toMatchObject({ code: "ambiguous-tool" });
    expect(pids().filter(isAlive)).toEqual([]);
  });
});

describe("starting a server", () => {
  const trial = (...habits: readonly string[]): Trial => ({
    servers: { test: stdio(...habits) },
    calls: [["test__echo", { text: "hi" }]],
    approves: false,
  });

  it("needs approval, which is kept by what is started", async () => {
    await expect(crewOf(trial()).run("Go")).rejects.toMatchObject({
      code: "server-not-approved",
      message: expect.stringContaining(script),
    });
    expect(pids()).toEqual([]);
  });

  it("asks again where a tool is not what it was", async () => {
    const crew = crewOf(trial());
    const server = crew.definition.mcpServers.get("test");
    await remember(server);
    expect((await crew.run("Go")).status).toBe("completed");
    expect(statSync(join(home, "mcp-approvals.json")).mode & 0o777).toBe(0o600);
    const file = join(home, "mcp-approvals.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(/"echo": "../, '"echo": "00'));
    await expect(crew.run("Go")).rejects.toMatchObject({ request: { server: "test", changed: ["echo"] } });
    expect(pids().filter(isAlive)).toEqual([]);
  });

  it("says where what it remembers is damaged", async () => {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "mcp-approvals.json"), "{");
    await expect(crewOf(trial()).run("Go")).rejects.toMatchObject({ code: "bad-approvals" });
  });

  async function remember(server: McpServer | undefined): Promise<void> {
    if (server === undefined) throw new Error("the crew has a server");
    const { openServerApprovals } = await import("../src/servers/server-approvals.ts");
    openServerApprovals({ BATON_HOME: home }).save(server, { server: "test", what: "it", tools: {} });
    chmodSync(home, 0o700);
  }
});

describe("an MCP server over HTTP", () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  it("is reached, with the headers that it needs", async () => {
    const headers: (string | undefined)[] = [];
    server = await openMcpHttpServer((request) => headers.push(request.headers.authorization));
    const { port } = server.address() as AddressInfo;
    const { ends } = await outcomes({
      servers: { web: { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: "Bearer $" + "{WORD}" } } },
      calls: [["web__add", { a: 2, b: 3 }]],
    });
    expect(ends).toEqual(["5"]);
    expect(new Set(headers)).toEqual(new Set(["Bearer from outside"]));
  });

  it("that gives 50 MB at once is not read to the end, and goes on", async () => {
    server = await openMcpHttpServer(() => {});
    const { port } = server.address() as AddressInfo;
    const { ends } = await outcomes({
      servers: { web: { url: `http://127.0.0.1:${port}/mcp` } },
      calls: [
        ["web__large", {}],
        ["web__add", { a: 2, b: 3 }],
      ],
    });
    expect(ends).toEqual([expect.stringMatching(/^failed: .*more than 8 MB/), "5"]);
  });

  it("that sends calls on to another address is not followed there with what its headers hold", async () => {
    server = createServer((_, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end());
    await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const trial = { servers: { web: { url: `http://127.0.0.1:${port}/mcp` } }, calls: [["web__add", {}]] as const };
    await expect(crewOf(trial).run("Go")).rejects.toMatchObject({
      code: "server-failed",
      message: expect.stringContaining("sends calls on to http://127.0.0.1:9/: set that address"),
    });
  });

  it("that is not there stops the run before it begins", async () => {
    const trial = { servers: { web: { url: "http://127.0.0.1:9/mcp" } }, calls: [["web__add", {}]] as const };
    await expect(crewOf(trial).run("Go")).rejects.toMatchObject({ code: "server-failed" });
  });
});
