import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { tokenLine } from "./open-server.ts";
import { packageCommand } from "./package-command.ts";
import { writeCrew } from "./write-crew.ts";

const dockerfile = readFileSync("Dockerfile", "utf8");
const unit = readFileSync("deploy/baton.service", "utf8");
const readUnit = (key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1] ?? "";

/** Starts `baton` with arguments of a deployment, and resolves when it serves. */
async function startServing(args: readonly string[], cwd: string, home: string): Promise<ChildProcess> {
  const env = { ...process.env, BATON_HOME: home, BATON_TOKEN: "bt_x" };
  const child = spawn(process.execPath, [packageCommand(), ...args, "--port", "0"], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("serving desk")) break;
  return child;
}

const files = {
  "crews/crew.yaml": 'version: "2.0"\nname: desk\nagents: [a]\n',
  "crews/agents/a.md": "---\nid: a\nmodels: [openai/x]\n---\nAnswer.",
};

it("the Dockerfile copies what there is, the packages of the workspaces before they are installed", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));
  expect(copied.filter((name) => !existsSync(name))).toEqual([]);
  const { workspaces } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly workspaces: readonly string[] };
  const before = dockerfile.slice(0, dockerfile.indexOf("RUN npm ci"));
  for (const workspace of workspaces) expect(before).toContain(`${workspace}/package.json`);
  expect(readFileSync(".dockerignore", "utf8")).toContain("node_modules");
});

it("the command of the Dockerfile serves, and ends well when the container is stopped", async () => {
  const folder = writeCrew(files);
  const [, ...args] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? "[]") as readonly string[];
  const own = args.map((each) => (each === "/crews" ? join(folder, "crews") : each === "0.0.0.0" ? "127.0.0.1" : each));
  const child = await startServing(own, folder, join(folder, "store"));
  child.kill(/^STOPSIGNAL (.*)$/m.exec(dockerfile)?.[1] as NodeJS.Signals);
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(existsSync(join(folder, "store"))).toBe(true);
});

it("the command of the systemd unit serves with a file of tokens, and has time to stop", async () => {
  const folder = writeCrew(files);
  writeFileSync(join(folder, "tokens.yaml"), tokenLine("web", "scopes: [run]"));
  const [, , ...args] = readUnit("ExecStart").split(" ");
  const child = await startServing(args, folder, join(folder, "store"));
  child.kill(readUnit("KillSignal") as NodeJS.Signals);
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(Number(readUnit("TimeoutStopSec"))).toBeGreaterThan(30);
  expect(readUnit("ReadWritePaths")).toBe(readUnit("WorkingDirectory"));
});
