import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type CrewDefinition,
  type CrewHandle,
  defineCrew,
  defineTool,
  type Model,
  openSqliteStore,
  type Tool,
} from "../src/index.ts";
import { systemClock } from "../src/run/clock.ts";

/** A crew whose first agent may pay, and is asked which one before it hands over. */
export const payingDefinition: CrewDefinition = {
  name: "desk",
  models: ["m/m"],
  agents: [
    { id: "triage", description: "reads", prompt: "Read.", tools: ["pay"] },
    { id: "fixer", description: "repairs", prompt: "Repair.", isTerminal: true },
  ],
  routing: {
    signals: { triage: [{ signal: "[FIX]", target: "fixer" }] },
    agent_behaviors: { triage: { wait_for_signal: true } },
  },
};

type Reply = string | { readonly tool: string };

/** A process of its own, as far as the store can tell: its own connection, its own crew, its own clock. */
export async function openProcess(
  file: string,
  replies: readonly (Reply | undefined)[],
  minutesLater = 0,
  change = {},
  environment = {},
) {
  const clock = { ...systemClock, now: () => Date.now() + minutesLater * 60_000 };
  const store = await openSqliteStore(file, { clock });
  const calls: string[] = [];
  const paid: unknown[] = [];
  const contexts: unknown[] = [];
  const pay: Tool = defineTool({
    name: "pay",
    description: "pays",
    execute: (_, context) => {
      contexts.push(context);
      paid.push("paid");
      return replies.includes(undefined) ? new Promise(() => {}) : "paid";
    },
  });
  const model: Model = {
    name: "m/m",
    call: async ({ agent }) => {
      const reply = replies[calls.length];
      calls.push(agent);
      if (reply === undefined) return new Promise(() => {});
      if (typeof reply === "string") return { text: reply, toolCalls: [], finish: "stop" };
      return { text: "", toolCalls: [{ name: reply.tool, args: { euros: 5 } }], finish: "tool-calls" };
    },
  };
  const crew = defineCrew(
    { ...payingDefinition, tools: [pay], ...change },
    { store, clock, models: { "m/m": model }, env: {}, ...environment },
  );
  onTestFinished(() => crew.close({ graceMs: 0 }));
  return { crew, store, calls, paid, contexts };
}

/** Starts a run that does not end before its test, and gives its id. */
export function startWithout(crew: CrewHandle): Promise<string> {
  return new Promise((resolve) => leave(crew.run("help", { onEvent: ({ runId }) => resolve(runId) })));
}

/** Leaves a run alone as if its process had died: what another process makes of it is none of its business. */
export function leave(run: Promise<unknown>): void {
  run.catch(() => {});
}

/** A file for a store. */
export const newFile = () => join(mkdtempSync(join(tmpdir(), "baton-durable-")), "journal.sqlite");
