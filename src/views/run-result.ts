import type { UsageSum } from "../vocabulary/bill.ts";
import type { BatonEvent, EventData, EventOf, Failure, HandoffVia, StopReason } from "../vocabulary/events.ts";
import { hasSucceeded } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { Paused } from "../vocabulary/pause.ts";
import { type Cost, Tally } from "./figures.ts";
import { formatIsoTime } from "./format-iso-time.ts";

/** How a run stands. */
export type RunStatus = "queued" | "running" | "paused" | "completed" | "failed" | "cancelled";

/**
 * The result of a run, also while it is paused. `Object` is the type of `object`, which a run has that completed with the answer of
 * an agent whose `output` is JSON.
 */
export type RunResult<Object = unknown> = ResultFields & ResultEnding<Object>;

/** How a run stands: `status` says which of the other keys are there. */
export type ResultEnding<Object> =
  | { readonly status: "completed"; readonly object: Object; readonly error?: undefined; readonly paused?: undefined }
  | {
      readonly status: "completed";
      readonly object?: undefined;
      /** The limit that stopped the run. */
      readonly error: Failure;
      readonly paused?: undefined;
    }
  | {
      readonly status: "paused";
      readonly object?: undefined;
      readonly error?: undefined;
      /** What the run waits for. */
      readonly paused: Paused;
    }
  | {
      readonly status: "failed";
      readonly object?: undefined;
      /** Why the run failed. */
      readonly error: Failure;
      readonly paused?: undefined;
    }
  | {
      readonly status: "queued" | "running" | "cancelled";
      readonly object?: undefined;
      readonly error?: undefined;
      readonly paused?: undefined;
    };

/** What every result has, however the run stands. */
export interface ResultFields {
  readonly runId: RunId;
  readonly stopReason: StopReason | undefined;
  readonly output: string;
  readonly finalAgent: string;
  readonly path: readonly string[];
  readonly handoffs: number;
  readonly handoffChain: readonly ChainLink[];
  readonly rounds: number;
  readonly usage: UsageSum;
  readonly cost: Cost;
  readonly startedAt: string;
  readonly endedAt: string | undefined;
}

/** A handoff of a run. */
export interface ChainLink {
  readonly from: string;
  readonly to: string;
  readonly via: HandoffVia;
  readonly reason: string;
  readonly timestamp: string;
  readonly circular?: boolean;
}

/** Events of the run's own crew have no crew name. */
export function isOwn(event: BatonEvent): boolean {
  return event.crew === undefined && /^\d+$/.test(event.path);
}

/** Whether the run's own crew called this sub-crew, alone or together with others. Calls by groups and agents do not count. */
function isOwnCall(event: BatonEvent): boolean {
  return event.crew === undefined && /^\d+\/k\d+(\.\d+)?$/.test(event.path);
}

const endedStatuses: ReadonlySet<RunStatus> = new Set(["completed", "failed", "cancelled"]);

/** The path of a run's own crew, as it grows. */
export class PathFold {
  readonly names: string[] = [];
  readonly #failedCalls = new Set<string>();

  take(event: BatonEvent): void {
    addToPath(this.names, event, findAnswer(event)?.name, this.#failedCalls);
  }
}

/** Folds a run's events into its result. It works at any time, also while the run is going on. */
export function buildResult(events: readonly BatonEvent[]): RunResult {
  const [first] = events;
  if (first === undefined) throw new Error("a run has at least one event");
  const path: string[] = [];
  const failedCalls = new Set<string>();
  const handoffChain: ChainLink[] = [];
  const figures = new Tally();
  let output = "";
  let finalAgent = "";
  let ending = first;
  // Whether the crew's own guards tripped on its output.
  let isGuarded = false;
  for (const event of events) {
    switch (event.type) {
      case "model.completed":
      case "model.failed":
      case "function.completed":
      case "function.failed":
        figures.count(event);
        break;
      case "handoff":
        if (event.crew === undefined) handoffChain.push(buildChainLink(event.data, event.ts));
        break;
      case "guard.tripped":
        isGuarded ||= isOfCrewOutput(event);
        break;
      case "run.queued":
      case "run.continued":
      case "run.paused":
      case "run.resumed":
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        ending = event;
        break;
      default: {
        const answer = findAnswer(event);
        output = answer?.shown ?? answer?.output ?? output;
        finalAgent = answer?.agent ?? finalAgent;
        addToPath(path, event, answer?.name, failedCalls);
      }
    }
  }
  const state = readEnding(ending);
  const hasEnded = endedStatuses.has(state.status);
  return {
    runId: first.runId,
    ...state,
    output: isGuarded ? readGuardedOutput(ending) : output,
    finalAgent,
    path,
    handoffs: handoffChain.length,
    handoffChain,
    rounds: path.length,
    usage: figures.usage,
    cost: figures.cost,
    startedAt: formatIsoTime(first.ts),
    endedAt: hasEnded ? formatIsoTime(ending.ts) : undefined,
  };
}

/**
 * Adds the agent, group or sub-crew that answered or failed to the path. A sub-crew that is retried is added once, when it ends
 * for good.
 */
function addToPath(path: string[], event: BatonEvent, name: string | undefined, failedCalls: Set<string>): void {
  if (event.type === "crew.left" && isOwnCall(event)) {
    const { crew, status, error } = event.data;
    // Nobody needed it any more. One that a limit of its caller cut off did not answer, and is where the run ended.
    if (status === "cancelled" && error === undefined) return;
    const call = JSON.stringify([crew, event.path.replace(/\.\d+$/, "")]);
    if (failedCalls.has(call)) path.splice(path.lastIndexOf(crew), 1);
    if (status === "failed") failedCalls.add(call);
    path.push(crew);
  } else if (name !== undefined) path.push(name);
}

function isOfCrewOutput({ agent, crew, data }: EventOf<"guard.tripped">): boolean {
  return agent === undefined && crew === undefined && data.on === "output";
}

/** The output of a crew whose own guards tripped on it: what they let pass, and nothing before that. */
function readGuardedOutput(ending: BatonEvent): string {
  return ending.type === "run.completed" ? ending.data.output : "";
}

/** What an event adds to the run's output and to its path. */
interface OwnAnswer {
  readonly output: string;
  /** The answer as the reader of the run gets it, if it differs from the output. */
  readonly shown?: string | undefined;
  readonly name?: string | undefined;
  readonly agent?: string | undefined;
}

/** The answer of an agent, a group or a sub-crew, if it belongs to the run's own crew. */
export function findAnswer(event: BatonEvent): OwnAnswer | undefined {
  switch (event.type) {
    case "agent.completed": {
      const { agent = "" } = event;
      return isOwn(event) ? { output: event.data.answer, shown: event.data.shown, name: agent, agent } : undefined;
    }
    case "parallel.joined": {
      const { output, shown, group, outcomes } = event.data;
      // A group in which every member failed has no answer.
      return isOwn(event) && hasSucceeded(outcomes) ? { output, shown, name: group } : undefined;
    }
    case "crew.left": {
      const { output, shown, crew, status } = event.data;
      return isOwnCall(event) && status === "completed" ? { output, shown, name: crew } : undefined;
    }
    case "crews.joined":
      return isOwn(event) ? { output: event.data.output, shown: event.data.shown } : undefined;
    default:
      return undefined;
  }
}

function readEnding(event: BatonEvent): ResultEnding<undefined> & Pick<RunResult, "stopReason"> {
  switch (event.type) {
    case "run.completed": {
      const { error, stopReason } = event.data;
      const object = undefined;
      return error === undefined
        ? { status: "completed", stopReason, object }
        : { status: "completed", stopReason, error };
    }
    case "run.failed":
      return { status: "failed", stopReason: event.data.stopReason, error: event.data.error };
    case "run.cancelled":
      return { status: "cancelled", stopReason: "cancelled" };
    case "run.paused":
      return { status: "paused", stopReason: "pause", paused: event.data };
    case "run.queued":
      return { status: "queued", stopReason: undefined };
    default:
      return { status: "running", stopReason: undefined };
  }
}

export function isLimit({ stopReason }: Pick<RunResult, "stopReason">): boolean {
  return ["max_handoffs", "max_rounds", "max_crew_depth", "timeout", "quota"].includes(stopReason ?? "");
}

function buildChainLink(data: EventData["handoff"], ts: number): ChainLink {
  const { from, to, via, reason, circular } = data;
  return { from, to, via, reason, timestamp: formatIsoTime(ts), ...(circular && { circular }) };
}
