import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { openPostgresStore } from "../src/index.ts";
import { toRunId } from "../src/vocabulary/ids.ts";
import { packageCommand } from "./package-command.ts";
import { newSchema } from "./postgres-server.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const files = {
  "baton.yaml": "",
  "crew.yaml": `version: "2.0"
name: desk
agents: [clerk]
routing:
  signals:
    clerk: [{ signal: "[ASK]", type: pause }, { signal: "[DONE]", target: "" }]
`,
  "agents/clerk.md": "---\nid: clerk\nmodels: [openai/x]\n---\nHelp. [ASK] [DONE]",
  "replies.yaml": 'clerk: ["Which one? [ASK]", "That one. [DONE]"]\n',
};

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

interface Served {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
}

/** Starts `baton serve --json`, and reads where it listens from its first line, as a program does. */
async function serveCrew(args: readonly string[]): Promise<Served> {
  const folder = writeCrew(files);
  const given = ["serve", folder, "--port", "0", "--script", join(folder, "replies.yaml"), "--json", ...args];
  const child = spawn(process.execPath, [packageCommand(), ...given], { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  lines.close();
  return { ...(JSON.parse(String(first)) as Pick<Served, "url" | "token">), child };
}

it("a server's runs are in PostgreSQL, where `--store` says so", async () => {
  const { url: address, name } = await newSchema();
  const { url, token, child } = await serveCrew(["--store", address, "--work"]);
  const response = await fetch(`${url}/v1/crews/desk/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", prefer: "wait=30" },
    body: JSON.stringify({ input: "x", user: "anna" }),
  });
  const { runId, status } = (await response.json()) as { readonly runId: string; readonly status: string };
  expect([response.status, status]).toEqual([200, "paused"]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  const store = await openPostgresStore(address, { schema: name });
  expect(await store.list()).toMatchObject([{ runId, user: "anna", status: "paused" }]);
  expect((await store.read(toRunId(runId)))[0]?.data).toMatchObject({ isServed: true });
  await store.close();
  expect(runBaton(["runs", "--store", address], { cwd: writeCrew({}) }).stdout).toContain(runId.slice(0, 8));
});

describe("the examples with curl in docs/serving.md", () => {
  const page = readFileSync(fileURLToPath(new URL("../docs/serving.md", import.meta.url)), "utf8");
  const [start, follow, answer, ...others] = [...page.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([text]) => text);

  it("start a run, answer it and follow it", async () => {
    expect(others).toEqual([]);
    const { url, token } = await serveCrew([]);
    const run = (command: string | undefined, more: Readonly<Record<string, string>> = {}) =>
      execFileSync("bash", ["-c", command ?? ""], {
        encoding: "utf8",
        timeout: 20_000,
        env: { ...process.env, URL: url, TOKEN: token, no_proxy: "127.0.0.1", ...more },
      });
    const paused = JSON.parse(run(start));
    expect(paused).toMatchObject({ status: "paused", paused: { agent: "clerk" } });
    const RUN = String(paused.runId);
    expect(JSON.parse(run(answer, { RUN }))).toMatchObject({ runId: RUN, status: "running" });
    const followed = run(follow, { RUN });
    expect(followed).toContain("event: end");
    expect(followed).toMatch(/"type":"run.resumed".*"input":"the left one"/);
  });
});
