import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runInTerminal, screenOf } from "./in-terminal.ts";
import { writeCrew } from "./write-crew.ts";

const script = fileURLToPath(new URL("mcp-server.ts", import.meta.url));
const servers = { test: { command: process.execPath, args: [script, "./log"], env: { GREETING: "$" + "{WORD}" } } };
const files = {
  "package.json": "{}",
  "crew.yaml": `version: "2.0"\nname: desk\nagents: [a]\nmcp_servers: ${JSON.stringify(servers)}\n`,
  "agents/a.md": "---\ntools: [test__echo]\n---\nWork.",
  "replies.yaml": 'a: [{ tools: [{ name: test__echo, args: { text: hi } }] }, "It is done."]',
};
const args = ["run", ".", "Go", "--no-journal", "--script", "replies.yaml"];

describe("a server that is new to the machine", () => {
  it("is asked about at a terminal once, and again when its tools have changed", async () => {
    const cwd = writeCrew(files);
    const env = { BATON_HOME: join(cwd, "home"), WORD: "there" };
    const type = (typed: string) => runInTerminal(args, { cwd, env, keys: [["❯ ", `${typed}\r`]] });

    const refused = await type("n");
    expect(refused.exitCode).toBe(1);
    expect(screenOf(refused.written).replaceAll("\n", "")).toContain("with GREETING=$" + "{WORD}");

    const allowed = await type("y");
    expect(allowed.exitCode).toBe(0);
    expect(screenOf(allowed.written)).toContain("It is done.");

    const again = await runInTerminal(args, { cwd, env });
    expect(again.exitCode).toBe(0);
    expect(again.written).not.toContain("[y/N]");

    const approvals = join(cwd, "home", "mcp-approvals.json");
    expect(statSync(approvals).mode & 0o777).toBe(0o600);
    writeFileSync(approvals, readFileSync(approvals, "utf8").replace(/"echo": "../, '"echo": "00'));
    const changed = await type("y");
    expect(changed.exitCode).toBe(0);
    expect(changed.written).toContain("Tools have changed (echo)");
    expect((await runInTerminal(args, { cwd, env })).written).not.toContain("[y/N]");
  });
});
