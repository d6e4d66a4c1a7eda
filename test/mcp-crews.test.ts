import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { defineTool, loadCrew } from "../src/index.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { openServerApprovals } from "../src/servers/server-approvals.ts";
import type { Tool } from "../src/tools/tool.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { writeCrew } from "./write-crew.ts";

const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));
const servers = JSON.stringify({ test: { command: process.execPath, args: [script, "./log"] } });
const crewFile = (rest: string) => `version: "2.0"\nagents: [a]\nmcp_servers: ${servers}\n${rest}`;
const files = {
  "package.json": "{}",
  "main/crew.yaml": crewFile(`
name: main
sub_crews: { below: { config_path: ../below } }
routing: { signals: { a: [{ signal: "[ASK]", target_crew: below }, { signal: "[DONE]", target: "" }] } }
`),
  "main/agents/a.md": "---\ntools: [test__echo]\n---\nSay [ASK] or [DONE].",
  "below/crew.yaml": crewFile("name: below\n"),
  "below/agents/a.md": "---\ntools: [test__echo]\n---\nWork.",
  "replies.yaml": `
a: [{ tools: [{ name: test__echo, args: { text: above } }] }, "[ASK]", "[DONE]"]
below/a: [{ tools: [{ name: test__echo, args: { text: below } }] }, "Echoed."]
`,
};

async function runIn(folder: string, tools: readonly Tool[]) {
  const crew = await loadCrew("main", {
    workingDirectory: folder,
    tools,
    script: readScript(join(folder, "replies.yaml")),
    env: { BATON_HOME: folder },
    approveServer: () => true,
  });
  const results: string[] = [];
  const onEvent = (event: BatonEvent) => void (event.type === "tool.completed" && results.push(event.data.result));
  const { status } = await crew.run("Go", { onEvent });
  const log = join(folder, "log");
  return { status, results, started: existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0 };
}

describe("a run that waits for approval", () => {
  const pay = defineTool({ name: "pay", description: "pays", needsApproval: true, execute: () => "paid" });
  const waiting = {
    "package.json": "{}",
    "main/crew.yaml": crewFile("name: main\n"),
    "main/agents/a.md": "---\ntools: [test__echo, pay]\n---\nWork.",
    "replies.yaml": `
a: [{ tools: [{ name: pay, args: {} }] }, { tools: [{ name: test__echo, args: { text: after } }] }, "Done."]
`,
  };

  it("stays paused where a server's tool is not what was approved, and goes on when it is again", async () => {
    const folder = writeCrew(waiting);
    const crew = await loadCrew("main", {
      workingDirectory: folder,
      tools: [pay],
      script: readScript(join(folder, "replies.yaml")),
      env: { BATON_HOME: folder },
    });
    const server = crew.definition.mcpServers.get("test");
    if (server === undefined) throw new Error("the crew has a server");
    openServerApprovals({ BATON_HOME: folder }).save(server, { server: "test", what: "it", tools: {} });
    const { runId, status } = await crew.run("Go");
    expect(status).toBe("paused");
    const file = join(folder, "mcp-approvals.json");
    const approved = readFileSync(file, "utf8");
    writeFileSync(file, approved.replace(/"echo": "../, '"echo": "00'));
    await expect(crew.resume(runId, { decision: "approve" }).result).rejects.toMatchObject({
      code: "server-not-approved",
      message: expect.stringContaining("has changed: echo"),
    });
    writeFileSync(file, approved);
    expect(await crew.resume(runId, { decision: "approve" }).result).toMatchObject({
      status: "completed",
      output: "Done.",
    });
  });
});

describe("the servers of crews within crews", () => {
  it("are started once where both name the same", async () => {
    expect(await runIn(writeCrew(files), [])).toEqual({
      status: "completed",
      results: ["echo: above", "echo: below"],
      started: 1,
    });
  });

  it("are not started for tools that the caller gives", async () => {
    const echo = defineTool({ name: "test__echo", description: "says it", execute: () => "given" });
    expect(await runIn(writeCrew(files), [echo])).toEqual({
      status: "completed",
      results: ["given", "given"],
      started: 0,
    });
  });
});
