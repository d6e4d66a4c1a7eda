import type { BatonEvent, Failure, HandoffVia, Paused, StopReason, Usage } from "../events.ts";
import type { RunId } from "../ids.ts";

export type RunStatus = "running" | "paused" | "completed" | "failed" | "cancelled";

/** What a run came to. */
export interface RunResult {
  readonly runId: RunId;
  readonly status: RunStatus;
  readonly stopReason: StopReason | undefined;
  readonly output: string;
  readonly finalAgent: string;
  readonly path: readonly string[];
  readonly handoffs: number;
  readonly handoffChain: readonly ChainLink[];
  readonly rounds: number;
  readonly usage: Usage;
  readonly cost: { readonly usd: number | null; readonly unknownCalls: number };
  readonly paused?: Paused;
  readonly error?: Failure;
  readonly startedAt: string;
  readonly endedAt: string | undefined;
}

export interface ChainLink {
  readonly from: string;
  readonly to: string;
  readonly via: HandoffVia;
  readonly reason: string;
  readonly timestamp: string;
  readonly circular?: boolean;
}

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };

/** The run's own crew is the one without a name in its events' places. */
function isOwn(event: BatonEvent): boolean {
  return event.crew === undefined && /^\d+$/.test(event.path);
}

/** An answer of the run's own crew: who gave it, and what it was. A group in which nobody succeeded gave none. */
function answerOf(
  event: BatonEvent,
): { readonly name: string; readonly output: string; readonly agent?: string } | undefined {
  if (!isOwn(event)) return undefined;
  if (event.type === "agent.completed") {
    const agent = event.agent ?? "";
    return { name: agent, output: event.data.answer, agent };
  }
  if (event.type !== "parallel.joined" || !event.data.outcomes.some(({ status }) => status === "completed"))
    return undefined;
  return { name: event.data.group, output: event.data.output };
}

const endings: ReadonlySet<BatonEvent["type"]> = new Set([
  "run.paused",
  "run.resumed",
  "run.completed",
  "run.failed",
  "run.cancelled",
]);

/** Folds a run's events into its result, whenever it is asked for. */
export function resultOf(events: readonly BatonEvent[]): RunResult {
  const [first] = events;
  if (first === undefined) throw new Error("a run has at least one event");
  const answers = events.flatMap((event) => answerOf(event) ?? []);
  const calls = events.filter((event) => event.type === "model.completed");
  const handoffChain = events.flatMap((event) =>
    event.type === "handoff" && event.crew === undefined ? [linkOf(event.data, event.ts)] : [],
  );
  const ending = events.findLast(({ type }) => endings.has(type)) ?? first;
  const state = endingOf(ending);
  const hasEnded = state.status !== "running" && state.status !== "paused";
  return {
    runId: first.runId,
    ...state,
    output: answers.at(-1)?.output ?? "",
    finalAgent: answers.findLast(({ agent }) => agent !== undefined)?.agent ?? "",
    path: answers.map(({ name }) => name),
    handoffs: handoffChain.length,
    handoffChain,
    rounds: answers.length,
    usage: calls.reduce((sum, { data }) => addUsage(sum, data.usage ?? noUsage), noUsage),
    cost: costOf(calls),
    startedAt: new Date(first.ts).toISOString(),
    endedAt: hasEnded ? new Date(ending.ts).toISOString() : undefined,
  };
}

/** The sum of what the calls cost; unknown as soon as one of them is. */
function costOf(calls: readonly Extract<BatonEvent, { type: "model.completed" }>[]): RunResult["cost"] {
  const unknownCalls = calls.filter(({ data }) => data.costUsd === undefined).length;
  const usd = calls.reduce((sum, { data }) => sum + (data.costUsd ?? 0), 0);
  return { usd: unknownCalls === 0 ? usd : null, unknownCalls };
}

function endingOf(event: BatonEvent): Pick<RunResult, "status" | "stopReason" | "paused" | "error"> {
  switch (event.type) {
    case "run.completed":
      return { status: "completed", stopReason: event.data.stopReason };
    case "run.failed":
      return { status: "failed", stopReason: event.data.stopReason, error: event.data.error };
    case "run.cancelled":
      return { status: "cancelled", stopReason: "cancelled" };
    case "run.paused":
      return { status: "paused", stopReason: "pause", paused: event.data };
    default:
      return { status: "running", stopReason: undefined };
  }
}

/** Whether a limit ended the run. */
export function isLimit({ stopReason }: RunResult): boolean {
  return ["max_handoffs", "max_rounds", "max_crew_depth", "timeout", "quota"].includes(stopReason ?? "");
}

function linkOf(data: Extract<BatonEvent, { type: "handoff" }>["data"], ts: number): ChainLink {
  const { from, to, via, reason, circular } = data;
  return { from, to, via, reason, timestamp: new Date(ts).toISOString(), ...(circular && { circular }) };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
    total: a.total + b.total,
  };
}
