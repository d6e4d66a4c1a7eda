import { append, type History } from "../src/context/history.ts";
import { type CrewHandle, defineAgent, defineCrew, type Model, type ModelRequest } from "../src/index.ts";
import { handOver } from "../src/orchestration/baton.ts";
import { beginCrew } from "../src/orchestration/begin-crew.ts";
import { conduct } from "../src/orchestration/conduct.ts";
import { openCrewRun } from "../src/orchestration/open-crew-run.ts";
import { callAgent } from "../src/orchestration/patterns/chain.ts";
import { createEntryRanker } from "../src/orchestration/rank-entries.ts";
import { SignalReader } from "../src/orchestration/read-signals.ts";
import { systemClock } from "../src/run/clock.ts";
import { Run } from "../src/run/run.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import { toRunId } from "../src/vocabulary/ids.ts";

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 15 };

/** A model that answers after a while, or at once, and streams its answer in one piece. The last agent gives no signal. */
export function fakeModel(hops: number, latencyMs: number): Model {
  const reply = ({ agent, onText }: ModelRequest) => {
    const text = agent === `agent_${hops - 1}` ? "All done." : "Here you are. [GO]";
    onText(text);
    return { text, toolCalls: [], usage, finish: "stop" as const };
  };
  if (latencyMs === 0) return { name: "fake/instant", call: async (request) => reply(request) };
  return {
    name: "fake/instant",
    call: (request) => new Promise((resolve) => setTimeout(() => resolve(reply(request)), latencyMs)),
  };
}

/** Agents in a row, each passing the work on to the next by a signal. */
export function chainCrew(hops: number, model: Model): CrewHandle {
  const ids = Array.from({ length: hops }, (_, index) => `agent_${index}`);
  const signals = ids.slice(0, -1).map((id, index) => [id, [{ signal: "[GO]", target: ids[index + 1] ?? "" }]]);
  return defineCrew(
    {
      name: "chain",
      models: ["fake/instant"],
      entry_point: "agent_0",
      agents: ids.map((id) => defineAgent({ id, description: id, prompt: "Do your part. Then say [GO]." })),
      routing: { signals: Object.fromEntries(signals) },
      settings: { max_handoffs: hops, on_no_signal: "stop" },
    },
    { models: { "fake/instant": model }, env: {} },
  );
}

/** One agent that starts a group of `members`, whose join it then answers. */
export function groupCrew(members: number, model: Model): CrewHandle {
  const ids = Array.from({ length: members }, (_, index) => `member_${index}`);
  return defineCrew(
    {
      name: "group",
      models: ["fake/instant"],
      entry_point: "agent_0",
      agents: ["agent_0", ...ids, "end"].map((id) => defineAgent({ id, description: id, prompt: "Say [GO]." })),
      routing: {
        signals: { agent_0: [{ signal: "[GO]", target: "all" }] },
        parallel_groups: { all: { agents: ids, wait_for_all: true, next_agent: "end" } },
      },
      settings: { on_no_signal: "stop" },
    },
    { models: { "fake/instant": model }, env: {} },
  );
}

export function historyOf(messages: number): History {
  let history = append(undefined, { role: "user", text: "go" });
  for (let index = 1; index < messages; index++) history = append(history, { role: "user", text: "said" });
  return history;
}

/** A run of the chain that begins with a history, as one that has gone on for long has it. */
export function runWithHistory(crew: Crew, model: Model, history: History): Promise<unknown> {
  const run = new Run({
    id: toRunId("run_bench"),
    clock: systemClock,
    recorded: [],
    onEvent: () => {},
    control: { isStopping: false, isAborted: false },
  });
  const world = {
    run,
    clock: systemClock,
    models: () => [model],
    serverTools: () => [],
    tool: () => {
      throw new Error("the agents of the benchmark have no tools");
    },
    findFunction: () => undefined,
    external: async () => ({ failures: [] }),
    signalReader: readers,
    rankEntries,
    callAgent,
    beginCrew,
    drawNonce: () => "",
  };
  return conduct(openCrewRun(crew, world, run.scope, { path: "" }), handOver("agent_0", "go", history, "line"));
}

const readers = new SignalReader();
const rankEntries = createEntryRanker();
