import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCrew, type Model, openSqliteStore, type Store } from "../src/index.ts";
import { type Figure, median } from "./report.ts";

const ROUNDS = 7;

/** How long a paused run of many events takes to go on: to read it, go over it again, and come to its next call. */
export async function resumeFigures(): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const store = await openSqliteStore(join(scratch, "journal.sqlite"));
  try {
    const ratios: number[] = [];
    const long: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const short = await timeOfResume(store, 1000);
      const longer = await timeOfResume(store, 10_000);
      if (round === 0) continue;
      ratios.push(longer / short);
      long.push(longer);
    }
    return [
      { name: "10,000 events resumed", value: median(long), unit: "ms" },
      { name: "10,000 events resumed, ratio", value: median(ratios), unit: "× 1,000 events", target: { atMost: 10 } },
    ];
  } finally {
    await store.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Six events a round; then the agent gives no signal, and the run pauses. */
async function timeOfResume(store: Store, events: number): Promise<number> {
  const rounds = Math.ceil(events / 6);
  let calls = 0;
  let resumedAt = 0;
  let tookMs = 0;
  const model: Model = {
    name: "m/m",
    call() {
      if (resumedAt > 0) tookMs = performance.now() - resumedAt;
      const text = resumedAt > 0 ? "[END]" : ++calls < rounds ? "on [GO]" : "what now?";
      return { text, toolCalls: [], finish: "stop" };
    },
  };
  const agents = ["a", "b"].map((id) => ({ id, description: id, prompt: "Say [GO] or [END]." }));
  const signals = { a: "b", b: "a" };
  const bindings = Object.entries(signals).map(([id, target]) => [
    id,
    [
      { signal: "[GO]", target },
      { signal: "[END]", target: "" },
    ],
  ]);
  const limits = { max_handoffs: events, max_run_handoffs: events, max_rounds: events, timeout_seconds: 3600 };
  const settings = { ...limits, on_no_signal: "pause" as const };
  const crew = defineCrew(
    { name: "long", models: ["m/m"], agents, routing: { signals: Object.fromEntries(bindings) }, settings },
    { store, models: { "m/m": model }, env: {} },
  );
  const { runId } = await crew.run("go");
  resumedAt = performance.now();
  await crew.resume(runId, { input: "end it" }).result;
  return tookMs;
}
