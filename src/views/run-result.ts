import type { BatonEvent, BranchOutcome, Failure, HandoffVia, Paused, StopReason, Usage } from "../events.ts";
import type { RunId } from "../ids.ts";
import { addCall, addFailedCall, type Cost, noFigures } from "./figures.ts";
import { isoTime } from "./iso-time.ts";

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
  readonly cost: Cost;
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

/** The run's own crew is the one without a name in its events' places. */
function isOwn(event: BatonEvent): boolean {
  return event.crew === undefined && /^\d+$/.test(event.path);
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
  const path: string[] = [];
  const handoffChain: ChainLink[] = [];
  let figures = noFigures;
  let output = "";
  let finalAgent = "";
  let ending = first;
  for (const event of events) {
    if (event.type === "model.completed") figures = addCall(figures, event.data);
    else if (event.type === "model.failed") figures = addFailedCall(figures, event.data);
    else if (endings.has(event.type)) ending = event;
    else if (event.type === "handoff" && event.crew === undefined) handoffChain.push(linkOf(event.data, event.ts));
    else if (event.type === "agent.completed" && isOwn(event)) {
      finalAgent = event.agent ?? "";
      output = event.data.answer;
      path.push(finalAgent);
    } else if (event.type === "parallel.joined" && isOwn(event) && hasSuccess(event.data.outcomes)) {
      output = event.data.output;
      path.push(event.data.group);
    }
  }
  const state = endingOf(ending);
  const hasEnded = state.status !== "running" && state.status !== "paused";
  return {
    runId: first.runId,
    ...state,
    output,
    finalAgent,
    path,
    handoffs: handoffChain.length,
    handoffChain,
    rounds: path.length,
    usage: figures.usage,
    cost: figures.cost,
    startedAt: isoTime(first.ts),
    endedAt: hasEnded ? isoTime(ending.ts) : undefined,
  };
}

/** A group in which nobody succeeded gave no answer. */
function hasSuccess(outcomes: readonly BranchOutcome[]): boolean {
  return outcomes.some(({ status }) => status === "completed");
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
export function isLimit({ stopReason }: Pick<RunResult, "stopReason">): boolean {
  return ["max_handoffs", "max_rounds", "max_crew_depth", "timeout", "quota"].includes(stopReason ?? "");
}

function linkOf(data: Extract<BatonEvent, { type: "handoff" }>["data"], ts: number): ChainLink {
  const { from, to, via, reason, circular } = data;
  return { from, to, via, reason, timestamp: isoTime(ts), ...(circular && { circular }) };
}
