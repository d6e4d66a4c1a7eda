import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
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
