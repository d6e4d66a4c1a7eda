import type { HandoffVia } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";

/** A way that work takes between two of a crew; how a crew's run begins is one, too. */
export interface HandoffPath {
  /** The crew's name; one within others has theirs before it, as in `office/lab`. */
  readonly crew: string;
  /** Absent where the run begins: nobody handed it over. */
  readonly from: string | undefined;
  readonly to: string;
  readonly via: HandoffVia | "entry";
}

/** One handoff of a run that has ended, with what came of it. */
export interface HandoffRecord extends HandoffPath {
  /** The event that tells of it; of a run's beginning, 0. */
  readonly seq: number;
  readonly at: number;
  /** Absent where it says nothing: the run was cancelled. */
  readonly isSuccess: boolean | undefined;
  /** What was spent until the work was handed on or the crew was done; absent where that is unknown. */
  readonly costUsd: number | undefined;
  /** How long that took, pauses not counted. */
  readonly ms: number;
  /** The way round, where the work came back to one that had it before: `writer > editor > writer`. */
  readonly loop: string | undefined;
  /** Why nobody seems to have fitted the input; only of a run's beginning. */
  readonly gap: string | undefined;
}

/** A handoff that is kept, with the beginning of what its run was asked. */
export interface KeptHandoff extends HandoffRecord {
  readonly runId: RunId;
  readonly input: string;
}

/** Which handoffs are meant; all that is given must hold. */
export interface HandoffQuery {
  /** This crew, and those within it. */
  readonly crew?: string;
  readonly from?: string;
  readonly to?: string;
  readonly via?: HandoffPath["via"];
  /** Those at this time or later. */
  readonly since?: number;
}

/** What all handoffs on one path came to. Sums, so that they can be added up further. */
export interface PathFigures extends HandoffPath, OutcomeCounts {
  /** Of those whose cost is known, of which there are `priced`. */
  readonly costUsd: number;
  readonly priced: number;
  readonly ms: number;
  readonly lastAt: number;
}

/** How often something happened, and how that ended; what a cancelled run says is neither. */
export interface OutcomeCounts {
  readonly handoffs: number;
  readonly successes: number;
  readonly failures: number;
}

export interface LoopFigures extends OutcomeCounts {
  readonly crew: string;
  readonly loop: string;
}

/** What is known of handoffs: the busiest paths and loops first, the newest inputs that nobody fitted. */
export interface KeptPatterns {
  readonly paths: readonly PathFigures[];
  readonly loops: readonly LoopFigures[];
  readonly gaps: readonly KeptHandoff[];
}
