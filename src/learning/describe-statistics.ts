import type {
  LoopFigures,
  OutcomeCounts,
  PathFigures,
  StoredHandoff,
  StoredStatistics,
} from "../journal/handoff-record.ts";
import { addUsd } from "../vocabulary/bill.ts";
import { type Expectation, estimateSuccessRate } from "./expect-success.ts";

/** Statistics of handoffs: by path, by receiver, by loop, and the inputs that no agent fitted. */
export interface Statistics {
  readonly paths: readonly PathStatistics[];
  /** Agents, groups and crews that received handoffs, the busiest first. */
  readonly agents: readonly AgentStatistics[];
  readonly loops: readonly LoopStatistics[];
  readonly unmatchedInputs: readonly StoredHandoff[];
}

/** Statistics of the handoffs on one path. */
export interface PathStatistics extends Omit<PathFigures, "costUsd">, SuccessRate {
  /** Null if the cost of any handoff is unknown. */
  readonly costUsd: number | null;
}

/** Statistics of the handoffs that an agent, group or crew received. */
export interface AgentStatistics extends Omit<PathStatistics, "from" | "via"> {}

/** Statistics of the handoffs that closed one loop. */
export interface LoopStatistics extends LoopFigures, SuccessRate {}

/** How many of some handoffs were successes. */
export interface SuccessRate {
  /** The share of successes with its bounds, or null if no handoff has a known outcome. */
  readonly success: Expectation | null;
}

type AgentFigures = Omit<PathFigures, "from" | "via">;

type WithoutCost<Figures> = Omit<Figures, "costUsd"> & Pick<PathStatistics, "costUsd">;

export function describeStatistics({ paths, loops, unmatchedInputs }: StoredStatistics): Statistics {
  return {
    paths: paths.map((each) => addCost(addRate(each))),
    agents: sumByAgent(paths).map((each) => addCost(addRate(each))),
    loops: loops.map(addRate),
    unmatchedInputs,
  };
}

function addRate<Figures extends OutcomeCounts>(figures: Figures): Figures & SuccessRate {
  return { ...figures, success: estimateSuccessRate(figures.successes, figures.failures) ?? null };
}

function addCost<Figures extends Pick<PathFigures, "costUsd" | "priced" | "handoffs">>(
  figures: Figures,
): WithoutCost<Figures> {
  return { ...figures, costUsd: figures.priced < figures.handoffs ? null : figures.costUsd };
}

function sumByAgent(paths: readonly PathFigures[]): AgentFigures[] {
  const agents = new Map<string, AgentFigures>();
  for (const { from: _, via: __, ...own } of paths) {
    const key = JSON.stringify([own.crew, own.to]);
    const before = agents.get(key);
    agents.set(key, before === undefined ? own : sum(before, own));
  }
  return [...agents.values()].sort((a, b) => b.handoffs - a.handoffs);
}

function sum(a: AgentFigures, b: AgentFigures): AgentFigures {
  return {
    ...a,
    handoffs: a.handoffs + b.handoffs,
    successes: a.successes + b.successes,
    failures: a.failures + b.failures,
    costUsd: addUsd(a.costUsd, b.costUsd),
    priced: a.priced + b.priced,
    ms: a.ms + b.ms,
    lastAt: Math.max(a.lastAt, b.lastAt),
  };
}
