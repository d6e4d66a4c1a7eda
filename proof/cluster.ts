/**
 * `npm run proof:cluster`: runs on three workers that are killed, suspended and cut off, on a PostgreSQL server that crashes. At the end every
 * run has ended or waits for a person, no tool with `effect: once` acted twice, and every journal verifies and replays.
 * `-- --runs 50 --faults 6 --seed 7` for a smaller one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { createChance } from "../fuzz/chance.ts";
import { loadCrew, openPostgresStore } from "../src/index.ts";
import { checkStore } from "../src/journal/check-store.ts";
import type { StoredRun } from "../src/journal/store.ts";
import { startServer } from "../test/postgres-server.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "500" },
    faults: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [runCount, faultCount, seed] = [values.runs, values.faults, values.seed].map(Number) as [number, number, number];
const LEASE_MS = 3000;
const FAULT_EVERY_MS = 4000;
const CREWS = 8;
const PORT = 20_000 + Math.floor(Math.random() * 20_000);
const chance = createChance(seed);
const draw = (count: number) => chance.below(count);

const baton = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "baton-proof-cluster-"));
const marks = join(folder, "marks.txt");
writeFileSync(marks, "");
writeFileSync(join(folder, "baton.yaml"), "");
const crews = Array.from({ length: CREWS }, (_, index) => writeRandomCrew(`crew${index}`));

const database = startServer({ isDurable: true });
const env = { ...process.env, BATON_TOKEN: "proof", BATON_STORE: database.url() };
const headers = { authorization: "Bearer proof", "content-type": "application/json" };
const admin = new pg.Pool({ connectionString: database.url(), max: 1 });
admin.on("error", () => {});

process.stdout.write(`seed ${seed}: ${runCount} runs of ${CREWS} crews, ${faultCount} faults\n`);
const server = start("serve", ["--port", String(PORT)]);
const workers = new Map(["a", "b", "c"].map((name) => [name, startWorker(name)]));
const faults = { killed: 0, suspended: 0, crashed: 0, cut: 0 };
await until(async () => (await ask("/readyz")) !== undefined, 60_000);
const began = performance.now();
const ids: string[] = [];
const [started] = await Promise.all([startRuns(), doFaults()]);
await until(async () => (await unfinished()).length === 0, 240_000);
await judge(started);

for (const child of [server, ...workers.values()]) child.kill("SIGKILL");
await admin.end();
database.stop();
rmSync(folder, { recursive: true });

/** A line of agents that work for a while; some mark a file once, and some ask a person. */
function writeRandomCrew(name: string): string {
  const at = join(folder, name);
  mkdirSync(join(at, "agents"), { recursive: true });
  const agents = Array.from({ length: 2 + draw(4) }, (_, index) => `${name}agent${index}`);
  const asking = draw(3) === 0 ? agents[draw(agents.length - 1)] : undefined;
  const replies = agents.map((id, index) => {
    const works = Array.from(
      { length: draw(3) },
      (_, n) => `{ tools: [{ name: mark, args: { n: "${id}.${n}" } }], latency_ms: ${100 + draw(400)} }`,
    );
    const ends = index === agents.length - 1 ? "[DONE]" : "[NEXT]";
    const asks = id === asking ? [`{ text: "Which? [ASK]", latency_ms: ${draw(300)} }`] : [];
    return `${id}: [${[...works, ...asks, `{ text: "${id} ${ends}", latency_ms: ${100 + draw(500)} }`].join(", ")}]`;
  });
  const bindings = agents.map((id, index) => {
    const next = agents[index + 1];
    const on = next === undefined ? `{ signal: "[DONE]", target: "" }` : `{ signal: "[NEXT]", target: ${next} }`;
    return `    ${id}: [${id === asking ? `{ signal: "[ASK]", type: pause }, ` : ""}${on}]`;
  });
  writeFileSync(
    join(at, "crew.yaml"),
    `version: "2.0"\nname: ${name}\nagents: [${agents.join(", ")}]\ntools: { mark: "./mark.ts#mark" }\nrouting:\n  signals:\n${bindings.join("\n")}\nsettings: { timeout_seconds: 3600 }\n`,
  );
  for (const id of agents)
    writeFileSync(
      join(at, "agents", `${id}.md`),
      `---\nid: ${id}\nmodels: [openai/x]\ntools: [mark]\n---\nWork. [NEXT] [DONE] [ASK]`,
    );
  writeFileSync(
    join(at, "mark.ts"),
    `import { appendFileSync } from "node:fs";
export const mark = {
  name: "mark", description: "marks", effect: "once", parameters: { type: "object" }, read: (args) => args,
  async execute({ n }, { idempotencyKey }) {
    appendFileSync(${JSON.stringify(marks)}, idempotencyKey + "\\n");
    return "marked " + n;
  },
};
`,
  );
  writeFileSync(join(at, "replies.yaml"), `${replies.join("\n")}\n`);
  return at;
}

function start(command: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, `${command}.log`), "a");
  const script = join(folder, "replies.yaml");
  writeFileSync(script, crews.map((at) => readFileSync(join(at, "replies.yaml"), "utf8")).join(""));
  const given = command === "worker" ? ["--script", script] : [];
  return spawn(process.execPath, [baton, command, ...crews, ...given, ...args], { env, stdio: ["ignore", log, log] });
}

function startWorker(name: string): ChildProcess {
  return start("worker", ["--name", name, "--lease", `${LEASE_MS}ms`]);
}

async function startRuns(): Promise<number> {
  const gapMs = (faultCount * FAULT_EVERY_MS) / runCount;
  for (let index = 0; index < runCount; index++) {
    const path = `/v1/crews/crew${draw(CREWS)}/runs`;
    // The same request again, as a caller sends it who had no answer.
    await until(async () => {
      const answer = await ask(path, { input: `work ${index}` }, { "idempotency-key": `run ${index}` });
      if (typeof answer?.["runId"] !== "string") return false;
      ids.push(answer["runId"]);
      return true;
    }, 60_000);
    await wait(gapMs);
  }
  return ids.length;
}

async function doFaults(): Promise<void> {
  for (let index = 0; index < faultCount; index++) {
    await wait(FAULT_EVERY_MS);
    const names = [...workers.keys()];
    const name = names[draw(names.length)] ?? "a";
    const worker = workers.get(name);
    if (worker === undefined) continue;
    const kind = draw(10);
    if (kind < 4) {
      worker.kill("SIGKILL");
      await once(worker, "exit");
      workers.set(name, startWorker(name));
      faults.killed++;
    } else if (kind < 7) {
      worker.kill("SIGSTOP");
      void wait(LEASE_MS + 2000).then(() => worker.kill("SIGCONT"));
      faults.suspended++;
    } else if (kind < 9) {
      await admin
        .query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'baton' AND pid % 2 = $1",
          [draw(2)],
        )
        .catch(() => {});
      faults.cut++;
    } else {
      database.kill();
      database.start();
      faults.crashed++;
    }
    // One that could not bear it is started again, as a supervisor of processes does.
    for (const [each, child] of workers) if (child.exitCode !== null) workers.set(each, startWorker(each));
  }
}

/** Runs that have neither ended nor wait for a person; those that wait for words are given some. */
async function unfinished(): Promise<readonly StoredRun[]> {
  const { rows } = await admin
    .query<{ run_id: string; status: string }>(
      "SELECT run_id, status FROM baton.runs WHERE status IN ('running', 'queued', 'paused')",
    )
    .catch(() => ({ rows: [{ run_id: "", status: "running" }] }));
  for (const { run_id: id, status } of rows)
    if (status === "paused") await ask(`/v1/runs/${id}/resume`, { input: "that one" });
  // A pause that takes no words waits for a person to say whether a tool acted.
  const { rows: left } = await admin
    .query(
      "SELECT 1 FROM baton.runs r JOIN baton.events e ON e.run = r.number AND e.seq = r.events - 1 WHERE r.status IN ('running', 'queued') OR (r.status = 'paused' AND e.text NOT LIKE '%ambiguous%')",
    )
    .catch(() => ({ rows: [1] }));
  await wait(1000);
  return left as readonly StoredRun[];
}

async function judge(startedRuns: number): Promise<void> {
  const seconds = Math.round((performance.now() - began) / 1000);
  const store = await openPostgresStore(database.url());
  const runs = await store.list();
  const count = (status: string) => runs.filter((run) => run.status === status).length;
  process.stdout.write(
    `faults: ${faults.killed} workers killed, ${faults.suspended} suspended past their lease, ${faults.cut} times half of all connections cut, ${faults.crashed} crashes of PostgreSQL; ${seconds} s\n`,
  );
  process.stdout.write(
    `runs: ${count("completed")} completed, ${count("failed")} failed, ${count("paused")} paused for a person\n`,
  );
  const lines = readFileSync(marks, "utf8").split("\n").filter(Boolean);
  report("runs lost", startedRuns - runs.filter(({ runId }) => ids.includes(runId)).length, 0);
  report("runs started twice", runs.length - startedRuns, 0);
  report(
    "runs that neither ended nor wait for a person",
    runs.length - count("completed") - count("paused") - count("failed"),
    0,
  );
  report("runs failed", count("failed"), 0);
  report("effects of once tools doubled", lines.length - new Set(lines).size, 0);
  let done = 0;
  let unread = 0;
  let differing = 0;
  const handles = new Map(
    await Promise.all(crews.map(async (at) => [at.slice(folder.length + 1), await loadCrew(at, { store })] as const)),
  );
  for (const { runId, crew, status } of runs) {
    const events = await store.read(runId).catch(() => []);
    if (events.length === 0) unread++;
    done += events.filter(({ type }) => type === "tool.completed").length;
    if (status !== "completed") continue;
    const replay = await handles
      .get(crew)
      ?.replay(runId)
      .catch((error: unknown) => ({ divergence: error }));
    if (replay?.divergence !== undefined) differing++;
  }
  report("effects recorded that did not happen", Math.max(0, done - lines.length), 0);
  report("journals that cannot be read", unread, 0);
  report("problems in the store", (await checkStore(store)).problems.length, 0);
  report("replays that differ", differing, 0);
  await store.close();
}

function report(what: string, is: number, expected: number): void {
  process.stdout.write(`${is === expected ? "✓" : "✗"} ${what}: ${is}\n`);
  if (is !== expected) process.exitCode = 1;
}

async function ask(
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, { ...init, headers: { ...headers, ...more } });
    return response.ok ? ((await response.json()) as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

async function until(isDone: () => Promise<boolean>, patienceMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isDone())) {
    if (performance.now() > end) return;
    await wait(100);
  }
}
