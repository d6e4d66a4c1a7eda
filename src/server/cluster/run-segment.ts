import type { SegmentOutcome } from "../../dispatch/executor.ts";
import type { Segment } from "../../dispatch/segment.ts";
import type { CrewHandle } from "../../library/crew-handle.ts";
import type { RunHandle } from "../../runtime/live-run.ts";
import type { RunResult } from "../../views/run-result.ts";
import { BatonError, describeThrown } from "../../vocabulary/errors.ts";
import type { BatonEvent } from "../../vocabulary/events.ts";
import type { RunId } from "../../vocabulary/ids.ts";

/** What a worker does with the runs that it takes. */
export interface SegmentSurroundings {
  /** The crew of a name; undefined if this worker cannot run it. */
  readonly findCrew: (name: string) => CrewHandle | undefined;
  /** How long somebody who can run the crew needs to come by. */
  readonly waitForAbler: (crew: string) => Promise<number>;
  readonly isStopping: () => boolean;
  readonly onEvent: (event: BatonEvent) => void;
  readonly onResult: (result: RunResult, by: string | undefined) => void;
  readonly onTaken: (runId: RunId, crew: string) => () => void;
  readonly note: (message: string) => void;
}

const done: SegmentOutcome = { type: "done" };
const atOnce: SegmentOutcome = { type: "again", afterMs: 0 };
/** A run that somebody still holds is tried again until its lease is over. */
const HELD_MS = 150;
const HELD_TRIES = 40;
const HELD_BY_OTHERS_MS = 2000;
/** A run that could not be continued is tried again after this time. */
const REFUSED_MS = 60_000;
/** A database that does not answer is asked again after this time. */
const UNREACHABLE_MS = 1000;

/** Somebody else was first, or the run needs nobody any more. */
const overtaken: ReadonlySet<string> = new Set(["not-broken", "not-paused", "unknown-run", "stale-owner"]);
const unreachable: ReadonlySet<string> = new Set(["store-unreachable", "store-busy", "store-full", "store-read-only"]);

/** Continues a run to its end or next pause, unless somebody else does. Never rejects: the journal says what became of the run. */
export async function runSegment(segment: Segment, surroundings: SegmentSurroundings): Promise<SegmentOutcome> {
  const { runId, crew: name, by } = segment;
  const { findCrew, waitForAbler, isStopping, note } = surroundings;
  const crew = findCrew(name);
  if (crew === undefined) return { type: "again", afterMs: await waitForAbler(name) };
  for (let attempt = 0; ; attempt++) {
    if (isStopping()) return atOnce;
    try {
      const result = await continueRun(segment, crew, surroundings);
      if (result.status === "running") return atOnce;
      surroundings.onResult(result, by);
      return done;
    } catch (error) {
      const code = error instanceof BatonError ? error.code : "";
      if (code !== "run-active" || attempt >= HELD_TRIES) return judgeRefusal(code, error, runId, note);
      await wait(HELD_MS);
    }
  }
}

/** What follows if a run cannot be continued here and now. */
function judgeRefusal(code: string, error: unknown, runId: RunId, note: SegmentSurroundings["note"]): SegmentOutcome {
  if (code === "run-active") return { type: "again", afterMs: HELD_BY_OTHERS_MS };
  if (code === "crew-closed") return atOnce;
  if (code === "stale-owner") note(`run ${runId} left this worker: ${describeThrown(error)}`);
  if (overtaken.has(code)) return done;
  note(`run ${runId} could not be continued: ${describeThrown(error)}`);
  return { type: "again", afterMs: unreachable.has(code) ? UNREACHABLE_MS : REFUSED_MS };
}

async function continueRun(
  { runId, acceptChanges }: Segment,
  crew: CrewHandle,
  { onEvent, onTaken }: SegmentSurroundings,
): Promise<RunResult> {
  // A crew that has changed since is continued as it was: nobody is here to decide.
  const handle: RunHandle = crew.recover(runId, { original: !acceptChanges, acceptChanges, onEvent });
  const leave = onTaken(runId, crew.definition.name);
  try {
    return await handle.result;
  } finally {
    leave();
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
