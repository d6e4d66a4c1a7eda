import type { HandoffVia } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** From whom to whom work goes in a crew, and how. The beginning of a crew's run is a path too. */
export interface HandoffPath {
  /** The crew's name. A sub-crew has the names of the crews around it in front, as in `office/lab`. */
  readonly crew: string;
  /** Absent for the agent that the run begins with: nobody handed off to it. */
  readonly from: string | undefined;
  readonly to: string;
  readonly via: HandoffVia | "entry";
}

/** One handoff of an ended run, with its outcome. */
export interface HandoffRecord extends HandoffPath {
  /** The number of the `handoff` event; 0 for the beginning of a run. */
  readonly seq: number;
  readonly at: number;
  /** Absent if the run was cancelled, since that is neither a success nor a failure. */
  readonly isSuccess: boolean | undefined;
  /** The cost until the next handoff, or until the crew ended; absent if unknown. */
  readonly costUsd: number | undefined;
  /** The time until then, without pauses. */
  readonly ms: number;
  /** The path of a loop, if the target already had the work before: `writer > editor > writer`. */
  readonly loop: string | undefined;
  /** Why no agent seems to fit the run's input; only on the record of the run's beginning. */
  readonly unmatched: string | undefined;
}

/** A stored handoff, with the beginning of its run's input. */
export interface StoredHandoff extends HandoffRecord {
  readonly runId: RunId;
  readonly input: string;
}

/** Filters for handoffs. A handoff must match all that are given. */
export interface HandoffQuery {
  /** This crew and its sub-crews. */
  readonly crew?: string;
  readonly from?: string;
  readonly to?: string;
  readonly via?: HandoffPath["via"];
  /** Handoffs at this time or later. */
  readonly since?: number;
}

/** Sums over all handoffs on one path. They are sums and not averages, so callers can add them up further. */
export interface PathFigures extends HandoffPath, OutcomeCounts {
  /** The sum over the `priced` handoffs, whose cost is known. */
  readonly costUsd: number;
  readonly priced: number;
  readonly ms: number;
  readonly lastAt: number;
}

/** Handoffs by outcome. Those of cancelled runs are neither successes nor failures. */
export interface OutcomeCounts {
  readonly handoffs: number;
  readonly successes: number;
  readonly failures: number;
}

/** Outcomes of all handoffs that closed one loop. */
export interface LoopFigures extends OutcomeCounts {
  readonly crew: string;
  readonly loop: string;
}

/** Statistics of the stored handoffs: the busiest paths and loops first, the newest unmatched inputs first. */
export interface StoredStatistics {
  readonly paths: readonly PathFigures[];
  readonly loops: readonly LoopFigures[];
  readonly unmatchedInputs: readonly StoredHandoff[];
}
