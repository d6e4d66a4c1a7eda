import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CrewDefinition } from "../src/library/crew-definition.ts";
import type { CrewHandle } from "../src/library/crew-handle.ts";
import { defineCrew } from "../src/library/define-crew.ts";
import type { Model, ModelReply, ModelRequest } from "../src/models/model.ts";
import { sleep, systemClock } from "../src/run/clock.ts";
import { defineTool } from "../src/tools/define-tool.ts";
import { quiescence } from "./watched-clock.ts";

export interface LeaksOptions {
  readonly count: number;
  readonly onProgress?: (done: number, heapBytes: number) => void;
}

export interface LeaksResult {
  readonly count: number;
  /** How much the heap grew, garbage collected, after the first fifth of the runs. */
  readonly grownBytes: number;
  readonly problems: readonly string[];
}

/** A way to run that may leave something behind. */
interface Habit {
  readonly definition: CrewDefinition;
  reply(request: ModelRequest): Promise<ModelReply> | ModelReply;
  run(crew: CrewHandle, shared: AbortSignal): Promise<string>;
  /** How each of its runs ends. */
  readonly end: string;
}

/** Runs of one batch are under way at once; then their crews, which keep what they ran, are let go. */
const BATCH = 500;

/** Runs a few crews very often in one process, on the machine's own clock: memory, timers and listeners must not add up. */
export async function fuzzLeaks({ count, onProgress }: LeaksOptions): Promise<LeaksResult> {
  const shared = new AbortController();
  const problems = new Set<string>();
  const before = timersUnderWay();
  let done = 0;
  let base = 0;
  while (done < count) {
    const size = Math.min(BATCH, count - done);
    await runBatch(size, shared.signal, (problem) => problems.add(problem));
    if (done < count / 5) base = heapBytes();
    done += size;
    onProgress?.(done, heapBytes());
  }
  const listeners = getEventListeners(shared.signal, "abort").length;
  if (listeners > 0) problems.add(`${listeners} listeners are left on a signal that all runs share`);
  const left = timersUnderWay() - before;
  if (left > 0) problems.add(`${left} timers are left`);
  const grownBytes = heapBytes() - base;
  if (grownBytes > 2 ** 21) problems.add(`the heap grew by ${grownBytes} bytes`);
  return { count, grownBytes, problems: [...problems] };
}

async function runBatch(size: number, shared: AbortSignal, onProblem: (problem: string) => void): Promise<void> {
  const crews = habits.map((habit) => {
    const model: Model = { name: "fake/one", call: habit.reply };
    return { habit, crew: defineCrew(habit.definition, { models: { "fake/one": model } }) };
  });
  const runs = Array.from({ length: size }, async (_, index) => {
    const { habit, crew } = crews[index % crews.length] ?? {};
    if (habit === undefined || crew === undefined) return;
    const end = await habit.run(crew, shared);
    if (end !== habit.end) onProblem(`a run of '${habit.definition.name}' is ${end}, not ${habit.end}`);
  });
  await Promise.all(runs);
  await quiescence();
}

const collectGarbage = ((): (() => void) => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
})();

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function timersUnderWay(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

const say = (text: string): ModelReply => ({ text, toolCalls: [], finish: "stop" });
const never = () => new Promise<never>(() => {});

const run = async (crew: CrewHandle, shared: AbortSignal): Promise<string> => {
  const { status, stopReason } = await crew.run("Begin", { signal: shared });
  return `${status} ${stopReason}`;
};

const agents = ["a", "b", "c"].map((id) => ({ id, description: id }));
const group = (name: string, keys: object): CrewDefinition => ({
  name,
  models: ["fake/one"],
  agents,
  routing: {
    signals: { a: [{ signal: "[GO]", target: "g" }] },
    parallelGroups: { g: { agents: ["b", "c"], nextAgent: "a", ...keys } },
  },
  settings: { maxHandoffs: 2 },
});
const pay = defineTool({ name: "pay", description: "pays", needsApproval: true, execute: () => "paid" });

const habits: readonly Habit[] = [
  {
    definition: { name: "three in a row", models: ["fake/one"], agents },
    reply: ({ agent }) => say(`I am ${agent}`),
    run,
    end: "completed end_of_list",
  },
  {
    definition: group("a race that the slow one loses", {}),
    reply: ({ agent, signal }) =>
      agent === "b" ? sleep(systemClock, 3_600_000, signal).then(() => say("late")) : say("ready [GO]"),
    run,
    end: "completed max_handoffs",
  },
  {
    definition: group("a group whose time is up", { waitForAll: true, timeoutSeconds: 0.001 }),
    reply: ({ agent }) => (agent === "b" ? never() : say("ready [GO]")),
    run,
    end: "completed max_handoffs",
  },
  {
    definition: {
      name: "a model that takes too long",
      models: ["fake/one"],
      agents: [{ id: "a", llmTimeout: 1, maxRetries: 0 }],
    },
    reply: never,
    run,
    end: "failed error",
  },
  {
    definition: { name: "cancelled", models: ["fake/one"], agents },
    reply: ({ signal }) => sleep(systemClock, 3_600_000, signal).then(() => say("late")),
    async run(crew) {
      const abort = new AbortController();
      setImmediate(() => abort.abort());
      return run(crew, abort.signal);
    },
    end: "cancelled cancelled",
  },
  {
    definition: { name: "approved", models: ["fake/one"], agents: [{ id: "a", tools: ["pay"] }], tools: [pay] },
    reply: ({ calls }) =>
      calls > 1 ? say("paid") : { text: "", toolCalls: [{ name: "pay", args: {} }], finish: "tool-calls" },
    async run(crew, shared) {
      const { runId } = await crew.run("Begin", { signal: shared });
      const { status, stopReason } = await crew.resume(runId, { decision: "approve" }, { signal: shared }).result;
      return `${status} ${stopReason}`;
    },
    end: "completed answer",
  },
  {
    definition: { name: "a stream that its reader leaves", models: ["fake/one"], agents },
    reply: ({ signal }) => sleep(systemClock, 3_600_000, signal).then(() => say("late")),
    async run(crew, shared) {
      for await (const event of crew.stream("Begin", { signal: shared })) if (event.type === "model.called") break;
      return "left";
    },
    end: "left",
  },
];
