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

/** Folds a run's events into its result, whenever it is asked for. */
export function resultOf(events: readonly BatonEvent[]): RunResult {
  const [first] = events;
  if (first === undefined) throw new Error("a run has at least one event");
  const path: string[] = [];
  const handoffChain: ChainLink[] = [];
  let usage = noUsage;
  let unknownCalls = 0;
  let output = "";
  let finalAgent = "";
  let ending: BatonEvent = first;
  for (const event of events) {
    switch (event.type) {
      case "agent.completed":
        if (isOwn(event)) {
          path.push(event.agent ?? "");
          finalAgent = event.agent ?? "";
          output = event.data.answer;
        }
        break;
      case "parallel.joined":
        if (isOwn(event)) {
          path.push(event.data.group);
          output = event.data.output;
        }
        break;
      case "handoff":
        if (event.crew === undefined) handoffChain.push(linkOf(event.data, event.ts));
        break;
      case "model.completed":
        if (event.data.usage === undefined) unknownCalls++;
        else usage = addUsage(usage, event.data.usage);
        break;
      case "run.paused":
      case "run.resumed":
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        ending = event;
        break;
    }
  }
  return {
    runId: first.runId,
    ...endingOf(ending),
    output,
    finalAgent,
    path,
    handoffs: handoffChain.length,
    handoffChain,
    rounds: path.length,
    usage,
    cost: { usd: null, unknownCalls },
    startedAt: new Date(first.ts).toISOString(),
    endedAt: ["completed", "failed", "cancelled"].includes(endingOf(ending).status)
      ? new Date(ending.ts).toISOString()
      : undefined,
  };
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
