import { addUsd } from "../vocabulary/bill.ts";
import type { Figures } from "./figures.ts";
import { addTraffic, type RunFigures, type Traffic } from "./run-figures.ts";
import type { RunStatus } from "./run-result.ts";

/** What statistics are grouped by: each day and crew, each crew, or each agent of a crew. */
export type StatisticsGroup = "day" | "crew" | "agent";

/** A run as statistics count it. */
export interface CountedRun extends RunFigures {
  /** What a diagnosis found in it, and in whom. */
  readonly findings: readonly { readonly code: string; readonly agents: readonly string[] }[];
}

/** Statistics of the runs of one day, crew or agent. */
export interface GroupStatistics {
  /** The day (UTC) on which the runs began. */
  readonly day?: string;
  readonly crew: string;
  readonly agent?: string;
  readonly runs: number;
  readonly statuses: Readonly<Partial<Record<RunStatus, number>>>;
  readonly calls: number;
  readonly failedCalls: number;
  readonly failedTools: number;
  /** Tokens that nobody counted are left out. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** What is known of the cost; calls of unknown cost are left out and counted. */
  readonly cost: { readonly usd: number; readonly unknownCalls: number };
  /** How long runs took from start to end, or an agent's model calls; null if none has ended. */
  readonly ms: Percentiles | null;
  /** How many runs had each finding. */
  readonly findings: Readonly<Record<string, number>>;
  /** Handoffs, the busiest path first; of an agent, those that it made. */
  readonly handoffs: readonly Traffic[];
}

interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** One run's share of a group. */
interface Share {
  readonly run: CountedRun;
  readonly figures: Figures;
  readonly failedCalls: number;
  readonly failedTools: number;
  readonly ms: readonly number[];
  readonly findings: readonly string[];
  readonly handoffs: readonly Traffic[];
}

/** Adds runs up by day, crew or agent. Groups come in the order of their days and names. */
export function addUpRuns(runs: Iterable<CountedRun>, by: StatisticsGroup): readonly GroupStatistics[] {
  const groups = new Map<string, { readonly name: Pick<GroupStatistics, "day" | "crew" | "agent">; shares: Share[] }>();
  const add = (name: Pick<GroupStatistics, "day" | "crew" | "agent">, share: Share) => {
    const key = JSON.stringify([name.day ?? "", name.crew, name.agent ?? ""]);
    const group = groups.get(key) ?? { name, shares: [] };
    groups.set(key, group);
    group.shares.push(share);
  };
  for (const run of runs) {
    const { crew } = run;
    if (by === "agent") for (const { agent } of run.agents) add({ crew, agent }, shareOfAgent(run, agent));
    else if (by === "crew") add({ crew }, shareOfRun(run));
    else add({ day: new Date(run.startedAt).toISOString().slice(0, 10), crew }, shareOfRun(run));
  }
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([, { name, shares }]) => ({ ...name, ...addUp(shares) }));
}

function shareOfRun(run: CountedRun): Share {
  const { agents, figures, ms, handoffs } = run;
  return {
    run,
    figures,
    failedCalls: agents.reduce((sum, { failed }) => sum + failed, 0),
    failedTools: agents.reduce((sum, { failedTools }) => sum + failedTools, 0),
    ms: ms === undefined ? [] : [ms],
    findings: run.findings.map(({ code }) => code),
    handoffs,
  };
}

function shareOfAgent(run: CountedRun, name: string): Share {
  const calls = run.agents.filter(({ agent }) => agent === name);
  const [first = { figures: run.figures, failed: 0, failedTools: 0, callsMs: [] }] = calls;
  return {
    run,
    figures: first.figures,
    failedCalls: first.failed,
    failedTools: first.failedTools,
    ms: first.callsMs,
    findings: run.findings.flatMap(({ code, agents }) => (agents.includes(name) ? [code] : [])),
    handoffs: run.handoffs.filter(({ from }) => from === name),
  };
}

function addUp(shares: readonly Share[]): Omit<GroupStatistics, "day" | "crew" | "agent"> {
  const sum = (read: (share: Share) => number) => shares.reduce((total, share) => total + read(share), 0);
  return {
    runs: shares.length,
    statuses: count(shares.map(({ run }) => run.status)),
    calls: sum(({ figures }) => figures.calls),
    failedCalls: sum(({ failedCalls }) => failedCalls),
    failedTools: sum(({ failedTools }) => failedTools),
    tokens: {
      input: sum(({ figures }) => figures.usage.input ?? 0),
      output: sum(({ figures }) => figures.usage.output ?? 0),
    },
    cost: {
      usd: shares.reduce((total, { figures }) => addUsd(total, figures.cost.usd ?? 0), 0),
      unknownCalls: sum(({ figures }) => figures.cost.unknownCalls),
    },
    ms: measurePercentiles(shares.flatMap(({ ms }) => ms)),
    findings: count(shares.flatMap(({ findings }) => [...new Set(findings)])),
    handoffs: addTraffic(shares.flatMap(({ handoffs }) => handoffs)),
  };
}

function count<Name extends string>(
  names: readonly Name[],
): Readonly<Partial<Record<Name, number>>> & Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts as Partial<Record<Name, number>> & Record<string, number>;
}

function measurePercentiles(values: readonly number[]): Percentiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return sorted.length === 0 ? null : { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
