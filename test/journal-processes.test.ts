import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { said } from "../src/testing/store-cases/case-tools.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

const MINUTE = "60000";
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-processes-"));
  file = join(folder, ".baton", "journal.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Worker {
  readonly process: ChildProcess;
  /** What it was told is durable. */
  readonly told: number[];
  readonly errors: string[];
  /** Done when it was told of so many events. */
  hasWritten(count: number): Promise<void>;
  ended(): Promise<void>;
}

describe("several processes with one journal", () => {
  it("write to runs of their own at once, from the first moment on", async () => {
    const workers = ["a", "b", "c"].map((name) => startWorker(`run_${name}`, name, "200", MINUTE));
    await Promise.all(workers.map((worker) => worker.ended()));
    const store = await openSqliteStore(file);
    for (const name of ["a", "b", "c"])
      expect(ownersOf(await store.read(toRunId(`run_${name}`)))).toEqual(Array(200).fill(name));
    expect(workers.flatMap(({ errors }) => errors)).toEqual([]);
    await store.close();
  });

  it("never write to one run both, however they fight for it", async () => {
    const workers = ["anna", "bert"].map((name) => startWorker("run_x", name, "150", "5"));
    await Promise.all(workers.map((worker) => worker.ended()));
    const store = await openSqliteStore(file);
    const owners = ownersOf(await store.read(toRunId("run_x")));
    expect(workers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(owners).toHaveLength(300);
    for (const [index, name] of ["anna", "bert"].entries()) {
      const theirs = owners.flatMap((owner, seq) => (owner === name ? [seq] : []));
      expect(theirs).toEqual(workers[index]?.told);
    }
    await store.close();
  });

  it("lose nothing that was durable when one is killed, and another continues its run", async () => {
    const killed = startWorker("run_x", "anna", "1000000", MINUTE);
    const bystander = startWorker("run_y", "bert", "300", MINUTE);
    await killed.hasWritten(100);
    killed.process.kill("SIGKILL");
    await Promise.all([killed.ended(), bystander.ended()]);
    const store = await openSqliteStore(file, { clock: { now: () => Date.now() + 3_600_000 } });
    const run = toRunId("run_x");
    const events = await store.read(run);
    // What it was not told any more may be there too: one event at most.
    expect([0, 1]).toContain(events.length - killed.told.length);
    expect(events.map(({ seq }) => seq)).toEqual([...events.keys()]);
    await store.append(await store.take(run, "carl", 1000), [said(events.length, "carl", run)]);
    expect(ownersOf(await store.read(run)).at(-1)).toBe("carl");
    expect(await store.read(toRunId("run_y"))).toHaveLength(300);
    await store.close();
  });

  it("see what another one writes as it is written", async () => {
    const store = await openSqliteStore(file);
    const controller = new AbortController();
    const worker = startWorker("run_x", "anna", "50", MINUTE);
    const seen: BatonEvent[] = [];
    for await (const event of store.tail(toRunId("run_x"), 0, controller.signal)) {
      seen.push(event);
      if (seen.length === 50) controller.abort();
    }
    await worker.ended();
    expect(ownersOf(seen)).toEqual(Array(50).fill("anna"));
    await store.close();
  });
});

function startWorker(run: string, owner: string, events: string, leaseMs: string): Worker {
  const script = fileURLToPath(new URL("journal-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [script, file, run, owner, events, leaseMs]);
  const told: number[] = [];
  const errors: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => told.push(Number(line)));
  child.stderr.on("data", (text) => errors.push(String(text)));
  const closed = once(child, "close");
  return {
    process: child,
    told,
    errors,
    async hasWritten(count) {
      while (told.length < count) await once(lines, "line");
    },
    async ended() {
      await closed;
    },
  };
}

function ownersOf(events: readonly BatonEvent[]): (string | undefined)[] {
  return events.map((event) => {
    if (event.type === "run.started") return event.data.input;
    return event.type === "agent.completed" ? event.data.answer : undefined;
  });
}
