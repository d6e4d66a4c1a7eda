import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadCrew, openMemoryStore } from "../src/index.ts";
import { readScript } from "../src/prepare/read-script.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { writeCrew } from "./write-crew.ts";

const server = fileURLToPath(new URL("mcp-server.ts", import.meta.url));
const servers = JSON.stringify({ mcpServers: { test: { command: process.execPath, args: [server] } } });
const asks = `{ tools: [{ name: test__echo, args: { text: hello } }] }`;

/** A lone agent that has every tool of a server. */
const files = {
  "package.json": "{}",
  "agents/a.md": `---\ntools: ["test__*"]\n---\nWork.`,
  "replies.yaml": `a: [${asks}, "Done."]\n`,
};

async function open(folder: string, replies = "replies.yaml") {
  return loadCrew("agents/a.md", {
    workingDirectory: folder,
    script: readScript(join(folder, replies)),
    env: { BATON_HOME: folder },
    approveServer: () => true,
    store: openMemoryStore(),
  });
}

describe("`<server>__*`", () => {
  it("is every tool of the server, and a replay of the run needs no server", async () => {
    const folder = writeCrew({ ...files, ".mcp.json": servers });
    const crew = await open(folder);
    const events: BatonEvent[] = [];
    const { runId, status } = await crew.run("Go", { onEvent: (event) => void events.push(event) });
    expect(status).toBe("completed");
    expect(events.find(({ type }) => type === "tool.completed")?.data).toMatchObject({ result: "echo: hello" });
    const started = events.find((event) => event.type === "run.started");
    expect(Object.keys(started?.data.tools ?? {})).toContain("test__fail");
    expect(Object.keys(started?.data.tools ?? {})).not.toContain("test__*");
    expect((await crew.replay(runId)).divergence).toBeUndefined();
  });

  it("is nothing where the server has no tool of that name to offer twice", async () => {
    const both = { ...files, "agents/a.md": `---\ntools: [test__echo, "test__*"]\n---\nWork.`, ".mcp.json": servers };
    expect((await (await open(writeCrew(both))).run("Go")).status).toBe("completed");
  });
});

describe("a lone agent's .mcp.json", () => {
  it("is the nearest one, in its folder or above", async () => {
    const other = JSON.stringify({ mcpServers: { test: { command: "there-is-no-such-program" } } });
    const nested = writeCrew({ ...files, ".mcp.json": other, "agents/.mcp.json": servers });
    expect((await (await open(nested)).run("Go")).status).toBe("completed");
  });

  it("is not looked for above the project's root", async () => {
    const folder = writeCrew({ "desk/package.json": "{}", "desk/a.md": files["agents/a.md"] });
    writeFileSync(join(folder, ".mcp.json"), servers);
    await expect(loadCrew("desk/a.md", { workingDirectory: folder })).rejects.toMatchObject({
      diagnostics: [expect.objectContaining({ code: "unknown-tool" })],
    });
  });
});
