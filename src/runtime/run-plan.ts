import type { BatonEvent, EventData } from "../vocabulary/events.ts";
import type { Start } from "../vocabulary/run-start.ts";
import type { Runtime } from "./runtime.ts";

/** What a run does: on which runtime, from which start, and with which events before it calls anything. */
export interface RunPlan {
  readonly runtime: Runtime;
  readonly start: Start;
  /** Events that are not stored yet: an answer, the note that somebody continues the run, or the past of a fork. */
  readonly added?: readonly BatonEvent[];
  /** When the run is to begin, if it is only stored for now. */
  readonly queue?: EventData["run.queued"];
  /** Whether the run continues although its tools have changed since it began. */
  readonly acceptChanges?: boolean;
}
