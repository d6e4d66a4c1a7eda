import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach } from "vitest";
import { packageCommand } from "./package-command.ts";
import { newSchema, type TestSchema } from "./postgres-server.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const TOKEN = "bt_cluster";

/** A server that only queues, and processes that work for it. */
interface Cluster {
  readonly folder: string;
  readonly schema: TestSchema;
  /** What the server answers to a request. */
  ask(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ClusterAnswer>;
  stream(path: string): Promise<Response>;
  startWorker(name: string, args?: readonly string[]): Promise<ChildProcess>;
  /** Runs a command on the same store. */
  baton(...args: readonly string[]): ReturnType<typeof runBaton>;
}

interface ClusterAnswer {
  readonly runId: string;
  readonly status: string;
  readonly code: string;
  readonly detail: string;
  readonly output: string;
  readonly text: string;
}

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

/** Starts a server on a crew, in a schema of its own. The crew's replies are in `replies.yaml`. */
export async function openCluster(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Cluster> {
  const folder = writeCrew(files);
  const schema = await newSchema();
  const start = async (command: readonly string[]) => {
    const given = [...command, "--json", "--store", schema.url];
    const env = { ...process.env, BATON_TOKEN: TOKEN };
    const child = spawn(process.execPath, [packageCommand(), ...given], { env, stdio: ["ignore", "pipe", "pipe"] });
    started.push(child);
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    const lines = createInterface({ input: child.stdout });
    const [first] = await Promise.race([
      once(lines, "line"),
      once(child, "exit").then(() => Promise.reject(new Error(told))),
    ]);
    return { child, first: JSON.parse(String(first)) as { readonly url?: string } };
  };
  const { first } = await start(["serve", folder, "--port", "0", ...args]);
  const request = (path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    fetch(new URL(path, first.url), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    folder,
    schema,
    async ask(path, body, headers = {}) {
      const text = await (await request(path, body, headers)).text();
      return { ...(text.startsWith("{") && (JSON.parse(text) as ClusterAnswer)), text } as ClusterAnswer;
    },
    stream: (path) => request(path, undefined, { accept: "text/event-stream" }),
    startWorker: async (name, more = []) =>
      (await start(["worker", folder, "--script", `${folder}/replies.yaml`, "--name", name, ...more])).child,
    baton: (...command) => runBaton([...command, "--store", schema.url], { cwd: folder }),
  };
}
