import { BatonError } from "../errors.ts";
import type { BatonEvent, EventOf } from "../events.ts";
import type { RunId } from "../ids.ts";
import type { RunResult, RunStatus } from "../views/run-result.ts";

/** The runs of a crew that wait for an answer; of those that ended, how. */
export interface RunsInMemory {
  note(result: RunResult, events: readonly BatonEvent[]): void;
  /** A run that waits for an answer, which nobody else may give now; anything else is refused, and changes nothing. */
  take(runId: RunId): PausedRun;
  /** Lets others answer again, if the run still waits. */
  release(runId: RunId): void;
}

interface PausedRun {
  readonly input: string;
  readonly paused: EventOf<"run.paused">;
  readonly events: readonly BatonEvent[];
}

/** How many of the runs that ended are still known by name. */
const REMEMBERED = 1000;

export function createRunsInMemory(): RunsInMemory {
  const paused = new Map<RunId, PausedRun>();
  const ended = new Map<RunId, RunStatus>();
  const taken = new Set<RunId>();
  const noteEnd = (runId: RunId, status: RunStatus) => {
    paused.delete(runId);
    ended.set(runId, status);
    if (ended.size <= REMEMBERED) return;
    const [oldest] = ended.keys();
    if (oldest !== undefined) ended.delete(oldest);
  };
  return {
    note({ runId, status }, events) {
      const [started] = events;
      const last = events.at(-1);
      if (started?.type === "run.started" && last?.type === "run.paused")
        paused.set(runId, { input: started.data.input, paused: last, events });
      else noteEnd(runId, status);
    },
    take(runId) {
      const run = paused.get(runId);
      if (taken.has(runId)) throw new BatonError("run-active", `run '${runId}' is being resumed already`);
      if (run === undefined) throw refusal(runId, ended.get(runId));
      taken.add(runId);
      return run;
    },
    release: (runId) => void taken.delete(runId),
  };
}

function refusal(runId: RunId, status: RunStatus | undefined): BatonError {
  return status === undefined
    ? new BatonError("unknown-run", `there is no run '${runId}'`)
    : new BatonError("not-paused", `run '${runId}' is not paused: it is ${status}`);
}
