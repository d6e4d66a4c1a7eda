import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { connectMcp } from "../src/tools/mcp-connection.ts";
import { writeCrew } from "./write-crew.ts";

const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));

/** A launcher, as `npx` is one: it starts the server in a process of its own, and waits for it. */
function launched(folder: string, ...habits: readonly string[]) {
  const log = join(folder, "pids");
  const words = [process.execPath, script, log, ...habits].map((word) => `'${word}'`).join(" ");
  const readPids = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : []);
  return { command: "sh", args: ["-c", `${words}; true`], readPids };
}

/** One that nobody has waited for yet has ended, too. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout.trim());
}

async function expectEnded(readPids: () => readonly number[]): Promise<void> {
  const pids = readPids();
  expect(pids).not.toEqual([]);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

describe("the process of an MCP server", () => {
  it("that does not start in time is killed with all that it started", async () => {
    const { readPids, ...command } = launched(writeCrew({}), "stuck", "deaf");
    const server = { type: "stdio" as const, ...command, env: {}, cwd: undefined };
    const connecting = connectMcp("test", server, { variables: {}, timeoutMs: 8000 });
    await expect(connecting).rejects.toMatchObject({ code: "server-failed" });
    await expectEnded(readPids);
  }, 60_000);

  it("ends with its connection, and with what it started", async () => {
    const { readPids, ...command } = launched(writeCrew({}), "deaf");
    const server = { type: "stdio" as const, ...command, env: {}, cwd: undefined };
    const connection = await connectMcp("test", server, { variables: {} });
    expect(await connection.call("echo", { text: "hi" }, new AbortController().signal)).toContain("hi");
    await connection.close();
    await expectEnded(readPids);
  }, 60_000);

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "ends at once where Baton gets %s while it starts",
    async (signal, exitCode) => {
      const folder = writeCrew({});
      const { readPids, ...command } = launched(folder, "stuck", "deaf");
      const cwd = writeCrew({
        "package.json": "{}",
        "crew.yaml": `version: "2.0"\nname: desk\nagents: [a]\nmcp_servers: ${JSON.stringify({ test: command })}\n`,
        "agents/a.md": "---\ndescription: d\ntools: [test__echo]\n---\nWork.\n",
        "replies.yaml": "a: [Done.]\n",
      });
      const env = { ...process.env, NO_COLOR: "1", BATON_HOME: join(folder, "home") };
      const args = [bin, "run", ".", "go", "--script", "replies.yaml", "--yes"];
      const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
      let stderr = "";
      child.stderr.on("data", (chunk) => {
        stderr += String(chunk);
      });
      const ended = new Promise<number | null>((done) => child.on("close", done));
      await expect.poll(() => readPids().length).toBe(1);
      child.kill(signal);
      expect(await ended).toBe(exitCode);
      expect(stderr).toContain("stopped while MCP servers were starting: nothing was run");
      await expectEnded(readPids);
    },
    60_000,
  );
});
