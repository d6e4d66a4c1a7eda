import type { KeptHandoff, KeptPatterns, LoopFigures, OutcomeCounts, PathFigures } from "../journal/handoff-record.ts";
import { addUsd } from "../vocabulary/bill.ts";
import { type Expectation, estimateSuccessRate } from "./expect-success.ts";

/** What handoffs came to: by path, by whom they went to, loops, and inputs that nobody fitted. */
export interface Patterns {
  readonly paths: readonly Priced<Rated<PathFigures>>[];
  /** Agents, groups and crews that were handed work, the busiest first. */
  readonly agents: readonly Priced<Rated<AgentFigures>>[];
  readonly loops: readonly Rated<LoopFigures>[];
  readonly gaps: readonly KeptHandoff[];
}

type AgentFigures = Omit<PathFigures, "from" | "via">;

/** With the share of successes and its bounds; null where nothing tells. */
type Rated<Figures> = Figures & { readonly success: Expectation | null };

/** With no cost where that of one handoff is unknown. */
type Priced<Figures> = Omit<Figures, "costUsd"> & { readonly costUsd: number | null };

/** What the figures of handoffs say. */
export function describePatterns({ paths, loops, gaps }: KeptPatterns): Patterns {
  return {
    paths: paths.map((each) => addCost(addRate(each))),
    agents: sumByAgent(paths).map((each) => addCost(addRate(each))),
    loops: loops.map(addRate),
    gaps,
  };
}

function addRate<Figures extends OutcomeCounts>(figures: Figures): Rated<Figures> {
  return { ...figures, success: estimateSuccessRate(figures.successes, figures.failures) ?? null };
}

function addCost<Figures extends Pick<PathFigures, "costUsd" | "priced" | "handoffs">>(
  figures: Figures,
): Priced<Figures> {
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
