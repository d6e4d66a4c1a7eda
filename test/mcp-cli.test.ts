import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCrew } from "../src/index.ts";
import { openServerApprovals } from "../src/servers/server-approvals.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

describe("servers on the command line", () => {
  const replies = `a:\n  - { tools: [{ name: files__list_directory, args: { path: "." } }] }\n  - Done.\n`;
  const files = (entry: string): Record<string, string> => ({
    "package.json": "{}",
    "notes.txt": "x",
    "agents/a.md": "---\ntools: [files__list_directory]\n---\nWork.",
    "replies.yaml": replies,
    ...(entry === "crew"
      ? { "crew.yaml": `version: "2.0"\nname: c\nagents: [a]\nmcp_servers:\n  files: ${JSON.stringify(filesServer)}\n` }
      : {
          "crew.yaml": 'version: "2.0"\nname: c\nagents: [a]\n',
          ".mcp.json": JSON.stringify({ mcpServers: { files: filesServer } }),
        }),
  });
  // A server as it comes from npm, of the years before.
  const filesServer = {
    command: process.execPath,
    args: [
      fileURLToPath(new URL("../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url)),
      ".",
    ],
  };

  it.each(["crew", ".mcp.json"])("are refused unasked, and named by --yes: from %s", (entry) => {
    const cwd = writeCrew(files(entry));
    const refused = runBaton(["run", ".", "Go", "--script", "replies.yaml"], { cwd });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("MCP server 'files'");
    expect(refused.stderr).toContain("--yes");
    const { exitCode, stdout, stderr } = runBaton(["run", ".", "Go", "--yes", "--events", "--script", "replies.yaml"], {
      cwd,
    });
    expect(stderr).toContain(`starting MCP server 'files': ${process.execPath}`);
    expect({ exitCode }).toEqual({ exitCode: 0 });
    expect(stdout).toContain("[FILE] notes.txt");
  });
});

/** A server whose one tool is described by a file; without a description it has none. */
const describedServer = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const description = readFileSync(new URL("./description.txt", import.meta.url), "utf8");
const tools = description === "" ? [] : [{ name: "echo", description, inputSchema: { type: "object" } }];
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: description }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) }));
});
`;

describe("a run that goes on in another process", () => {
  /** A crew that asks before it calls a tool of a server which this machine has approved. */
  async function approvedDesk() {
    const cwd = writeCrew({
      "package.json": "{}",
      "crew.yaml": `version: "2.0"
name: c
agents: [a]
mcp_servers: { test: ${JSON.stringify({ command: process.execPath, args: ["server.mjs"] })} }
routing: { signals: { a: [{ signal: "[ASK]", type: pause }, { signal: "[DONE]" }] } }
`,
      "agents/a.md": "---\ntools: [test__echo]\n---\nWork. [ASK] [DONE]",
      "server.mjs": describedServer,
      "description.txt": "says it again",
      "replies.yaml": 'a: ["May I? [ASK]", { tools: [{ name: test__echo, args: {} }] }, "Done. [DONE]"]',
    });
    const home = join(cwd, "home");
    const [[, server] = []] = (await loadCrew(cwd)).definition.mcpServers;
    if (server === undefined) throw new Error("the crew has a server");
    openServerApprovals({ BATON_HOME: home }).save(server, { server: "test", what: "it", tools: {} });
    const describe = (text: string) => writeFileSync(join(cwd, "description.txt"), text);
    const run = (...options: string[]) =>
      runBaton(["run", ".", "Go", "--script", "replies.yaml", ...options], { cwd, home });
    const resume = (...options: string[]) => runBaton(["resume", "last", "yes", ...options], { cwd, home });
    return { describe, run, resume };
  }

  it("uses tools that changed before it began as they were allowed then, and no others", async () => {
    const { describe, run, resume } = await approvedDesk();
    expect(run().exitCode).toBe(4);
    describe("says it again, and sends it on");
    expect(run().stderr).toContain("has changed: echo");
    expect(run("--yes")).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("its tools have changed") });
    expect(resume()).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    // It was allowed for that run alone.
    expect(run().stderr).toContain("has changed: echo");
    expect(run("--yes").exitCode).toBe(4);
    describe("says it again, and deletes it");
    expect(resume().stderr).toContain("has changed: echo");
    const other = resume("--yes");
    expect(other).toMatchObject({ exitCode: 1, stdout: "" });
    expect(other.stderr).toContain("the crew has changed since the run began");
    expect(other.stderr).toContain("tool 'test__echo' is described differently by its MCP server");
    expect(resume("--yes", "--accept-changes")).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  });

  it("is refused where a tool is gone from its server", async () => {
    const { describe, run, resume } = await approvedDesk();
    expect(run().exitCode).toBe(4);
    describe("");
    const refused = resume();
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^error: the crew has changed since the run began:\n {2}no MCP server has the tool 'test__echo'; there are none\n/,
    );
    describe("says it again");
    expect(resume()).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  });
});
