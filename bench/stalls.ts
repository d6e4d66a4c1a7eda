import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CrewHandle, defineCrew, type Model, openSqliteStore, type Store } from "../src/index.ts";
import { type Figure, median } from "./report.ts";

const ROUNDS = 5;

/** The longest time that the event loop stands still where many runs go on at once, with a store and without one. */
export async function stallFigures(): Promise<Figure[]> {
  return [...(await figuresOf(2000)), ...(await figuresOf(10_000))];
}

async function figuresOf(runs: number): Promise<Figure[]> {
  const rounds: { readonly bare: number; readonly kept: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await longestStall(runs, undefined);
    rounds.push({ bare, kept: await withStore((store) => longestStall(runs, store)) });
  }
  const name = `${runs.toLocaleString("en-US")} runs wake at once, longest stall`;
  return [
    { name: `${name} without a store`, value: median(rounds.map(({ bare }) => bare)), unit: "ms" },
    { name: `${name} with a store`, value: median(rounds.map(({ kept }) => kept)), unit: "ms" },
    { name, value: median(rounds.map(({ bare, kept }) => kept / bare)), unit: "× without", target: { atMost: 1.3 } },
  ];
}

async function withStore<Value>(use: (store: Store) => Promise<Value>): Promise<Value> {
  const scratch = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const store = await openSqliteStore(join(scratch, "journal.sqlite"));
  try {
    return await use(store);
  } finally {
    await store.close();
    rmSync(scratch, { recursive: true });
  }
}

/** Lets all runs come to their first model call, answers all of them in one turn, and watches until all have ended. */
async function longestStall(runs: number, store: Store | undefined): Promise<number> {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const allWait = Promise.withResolvers<void>();
  const model: Model = {
    name: "m/m",
    async call({ agent }) {
      if (agent === "a") {
        if (++waiting === runs) allWait.resolve();
        await gate.promise;
      }
      return { text: agent === "a" ? "go on [GO]" : "done", toolCalls: [], finish: "stop" };
    },
  };
  const crew = crewOf(model, store);
  const all = Array.from({ length: runs }, () => crew.run("go"));
  await allWait.promise;
  const watch = watchLoop();
  gate.resolve();
  await Promise.all(all);
  return watch.longestMs();
}

function crewOf(model: Model, store: Store | undefined): CrewHandle {
  const agents = ["a", "b"].map((id) => ({ id, description: id, prompt: "Say [GO]." }));
  const routing = { signals: { a: [{ signal: "[GO]", target: "b" }] } };
  const models = { "m/m": model };
  return defineCrew({ name: "row", models: ["m/m"], agents, routing }, { ...(store && { store }), models });
}

/** Looks at the clock once in every turn of the event loop. */
function watchLoop(): { longestMs(): number } {
  let last = performance.now();
  let longest = 0;
  let next: NodeJS.Immediate;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(look);
  };
  next = setImmediate(look);
  return {
    longestMs() {
      clearImmediate(next);
      return Math.max(longest, performance.now() - last);
    },
  };
}
