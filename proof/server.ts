/**
 * `npm run proof:server`: kills a server with kill -9 under 50 runs and 1,000 readers, starts it again, and counts. No run is lost or
 * doubled, and every reader that reconnects has each event once. `-- --runs 20 --readers 5 --kills 2` for a smaller one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "50" },
    readers: { type: "string", default: "20" },
    kills: { type: "string", default: "2" },
    stalled: { type: "string", default: "20" },
  },
});
const [runs, readersPerRun, kills, stalled] = [values.runs, values.readers, values.kills, values.stalled].map(
  Number,
) as [number, number, number, number];
const PORT = 20_000 + Math.floor(Math.random() * 20_000);
const ADDRESS = `http://127.0.0.1:${PORT}`;
const TURNS = 8;
const CREW = `version: "2.0"
name: pair
agents: [left, right]
routing:
  signals:
    left: [{ signal: "[OVER]", target: right }]
    right: [{ signal: "[BACK]", target: left }, { signal: "[DONE]", target: "" }]
settings: { max_handoffs: 50 }
`;
const headers = { authorization: "Bearer proof", "content-type": "application/json" };

const folder = mkdtempSync(join(tmpdir(), "baton-proof-server-"));
writeFileSync(join(folder, "baton.yaml"), "");
mkdirSync(join(folder, "agents"));
for (const id of ["left", "right"])
  writeFileSync(
    join(folder, "agents", `${id}.md`),
    `---\nid: ${id}\nmodels: [openai/x]\n---\nWork. [OVER] [BACK] [DONE]`,
  );
writeFileSync(join(folder, "crew.yaml"), CREW);
writeFileSync(join(folder, "replies.yaml"), writeReplies());

let server = await startServer();
const began = performance.now();
const ids = await Promise.all(Array.from({ length: runs }, (_, index) => startRun(index)));
const readers = ids.flatMap((id) => Array.from({ length: readersPerRun }, () => readToTheEnd(id)));
for (let index = 0; index < stalled; index++) stall(ids[index % runs] ?? "");
for (let kill = 0; kill < kills; kill++) {
  await wait(1500 + Math.random() * 1000);
  server.kill("SIGKILL");
  await once(server, "exit");
  // The same request again, as a caller sends it who had no answer.
  server = await startServer();
  const again = await Promise.all(Array.from({ length: runs }, (_, index) => startRun(index)));
  report("runs started again under their keys that are new", again.filter((id) => !ids.includes(id)).length, 0);
}
const seen = await Promise.all(readers);
server.kill("SIGTERM");
await once(server, "exit");

const store = await openSqliteStore(join(folder, ".baton", "journal.sqlite"));
const listed = await store.list();
report("runs in the store", listed.length, runs);
report("completed", listed.filter(({ status }) => status === "completed").length, runs);
const lengths = new Map<string, number>();
let calls = 0;
for (const { runId } of listed) {
  const events = await store.read(runId);
  lengths.set(runId, events.length);
  const answers = events.filter(({ type }) => type === "agent.completed").length;
  if (answers !== TURNS) calls++;
}
report("runs with answers lost or doubled", calls, 0);
const wrong = seen.filter(({ id, seqs }) => {
  const length = lengths.get(id) ?? 0;
  return seqs.length !== length || seqs.some((seq, index) => seq !== index);
});
report("readers", seen.length, runs * readersPerRun);
report("readers with an event missing or twice", wrong.length, 0);
const reconnects = seen.reduce((sum, { connections }) => sum + connections - 1, 0);
process.stdout.write(
  `${reconnects} reconnections, ${kills} kills, ${Math.round((performance.now() - began) / 1000)} s\n`,
);
await store.close();
rmSync(folder, { recursive: true });

function report(what: string, is: number, expected: number): void {
  process.stdout.write(
    `${is === expected ? "✓" : "✗"} ${what}: ${is}${is === expected ? "" : ` (expected ${expected})`}\n`,
  );
  if (is !== expected) process.exitCode = 1;
}

async function startServer(): Promise<ChildProcess> {
  const baton = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
  const args = [
    baton,
    "serve",
    folder,
    "--port",
    String(PORT),
    "--script",
    join(folder, "replies.yaml"),
    "--log",
    "json",
  ];
  const env = { ...process.env, BATON_TOKEN: "proof" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "ignore"] });
  for (let attempt = 0; attempt < 200; attempt++) {
    await wait(100);
    if ((await fetch(`${ADDRESS}/readyz`).catch(() => undefined))?.ok) return child;
  }
  throw new Error("the server does not start");
}

async function startRun(index: number): Promise<string> {
  const body = JSON.stringify({ input: `work ${index}` });
  const response = await fetch(`${ADDRESS}/v1/crews/pair/runs`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": `k${index}` },
    body,
  });
  return ((await response.json()) as { readonly runId: string }).runId;
}

/** Reads a run's stored events until it has ended, and reconnects whenever its stream ends before. */
async function readToTheEnd(
  id: string,
): Promise<{ readonly id: string; readonly seqs: readonly number[]; readonly connections: number }> {
  const seqs: number[] = [];
  let connections = 0;
  for (;;) {
    connections++;
    const last = seqs.at(-1);
    const from = {
      ...headers,
      accept: "text/event-stream",
      ...(last !== undefined && { "last-event-id": String(last) }),
    };
    try {
      const response = await fetch(`${ADDRESS}/v1/runs/${id}/events?deltas=false`, { headers: from });
      let text = "";
      for await (const part of response.body ?? []) {
        text += Buffer.from(part).toString();
        const frames = text.split("\n\n");
        text = frames.pop() ?? "";
        for (const frame of frames) {
          const seq = /^id: (\d+)/m.exec(frame)?.[1];
          if (seq !== undefined) seqs.push(Number(seq));
          if (frame.startsWith("event: end")) return { id, seqs, connections };
        }
      }
    } catch {
      // The server is dead: it comes back.
    }
    await wait(200);
  }
}

/** A reader that asks for events and reads none of them. */
function stall(id: string): void {
  const socket = connect(PORT, "127.0.0.1", () => {
    socket.write(
      `GET /v1/runs/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer proof\r\nAccept: text/event-stream\r\n\r\n`,
    );
    socket.pause();
  });
  socket.on("error", () => {});
  socket.unref();
}

/** Eight turns, so that every run is under way when the server dies. */
function writeReplies(): string {
  const reply = (text: string) => `  - { text: "${text}", latency_ms: 700 }\n`;
  const half = TURNS / 2;
  const left = Array.from({ length: half }, (_, index) => reply(`step ${index} [OVER]`)).join("");
  const right = Array.from({ length: half }, (_, index) =>
    reply(index === half - 1 ? "end [DONE]" : `ok ${index} [BACK]`),
  );
  return `left:\n${left}right:\n${right.join("")}`;
}
