import type { BatonEvent, HandoffVia } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { type Figures, Tally } from "./figures.ts";
import { buildResult, type RunStatus } from "./run-result.ts";

/** What statistics count of one run. */
export interface RunFigures {
  readonly runId: string;
  readonly crew: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  /** From its start to its end, pauses included; undefined while it goes on. */
  readonly ms: number | undefined;
  readonly figures: Figures;
  readonly agents: readonly AgentCalls[];
  readonly handoffs: readonly Traffic[];
}

/** The calls of one agent in a run. */
interface AgentCalls {
  readonly agent: string;
  readonly figures: Figures;
  /** Failed attempts of model calls. */
  readonly failed: number;
  readonly failedTools: number;
  /** How long each model call took. */
  readonly callsMs: readonly number[];
}

/** How often one agent handed off to another. */
export interface Traffic {
  readonly from: string;
  readonly to: string;
  readonly via: HandoffVia;
  readonly handoffs: number;
}

const ended: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

/** Measures a run for statistics over many runs. */
export function measureRun(events: readonly BatonEvent[]): RunFigures {
  const { runId, status, usage, cost, handoffChain } = buildResult(events);
  const [first] = events;
  const startedAt = first?.ts ?? 0;
  const agents = listAgentCalls(events);
  const calls = agents.reduce((sum, { figures }) => sum + figures.calls, 0);
  return {
    runId,
    crew: first?.type === "run.started" ? first.data.crew : "",
    status,
    startedAt,
    ms: ended.has(status) ? (events.at(-1)?.ts ?? startedAt) - startedAt : undefined,
    figures: { calls, usage, cost },
    agents,
    handoffs: addTraffic(handoffChain.map(({ from, to, via }) => ({ from, to, via, handoffs: 1 }))),
  };
}

/** Adds up traffic by agents and mechanism, the busiest first. */
export function addTraffic(parts: Iterable<Traffic>): readonly Traffic[] {
  const byKey = new Map<string, Traffic>();
  for (const part of parts) {
    const key = JSON.stringify([part.from, part.to, part.via]);
    byKey.set(key, { ...part, handoffs: part.handoffs + (byKey.get(key)?.handoffs ?? 0) });
  }
  return [...byKey.values()].sort((a, b) => b.handoffs - a.handoffs);
}

function listAgentCalls(events: readonly BatonEvent[]): readonly AgentCalls[] {
  const rows = new Map<string, { figures: Tally; failed: number; failedTools: number; callsMs: number[] }>();
  const rowOf = (event: BatonEvent) => {
    const agent = nameSpeaker(event);
    const row = rows.get(agent) ?? { figures: new Tally(), failed: 0, failedTools: 0, callsMs: [] };
    rows.set(agent, row);
    return row;
  };
  for (const event of events) {
    if (event.type === "model.completed") {
      const row = rowOf(event);
      row.figures.count(event);
      if (event.data.ms !== undefined) row.callsMs.push(event.data.ms);
    } else if (event.type === "model.failed") {
      const row = rowOf(event);
      row.figures.count(event);
      row.failed++;
    } else if (event.type === "tool.failed") rowOf(event).failedTools++;
  }
  return [...rows].map(([agent, row]) => ({ agent, ...row }));
}
