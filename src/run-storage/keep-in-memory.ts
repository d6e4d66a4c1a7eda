import type { RunStatus } from "../views/run-result.ts";
import { BatonError, unknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent, EventType } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { KeptRun, RunKeeper } from "./keep-runs.ts";

const endings: Partial<Record<EventType, RunStatus>> = {
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

/** How many of the runs that ended are still known by name. */
const REMEMBERED = 1000;

/** Keeps runs that have not ended, such as paused ones, for as long as the crew is there; of those that ended, how. */
export function keepInMemory(): RunKeeper {
  const open = new Map<RunId, readonly BatonEvent[]>();
  const ended = new Map<RunId, RunStatus>();
  /** Their ids, the newest in the place of the oldest. */
  const remembered: RunId[] = [];
  let next = 0;
  const taken = new Set<RunId>();
  const note = (runId: RunId, events: readonly BatonEvent[]) => {
    const last = events.at(-1)?.type;
    const ending = last && endings[last];
    if (ending === undefined) {
      open.set(runId, events);
      return;
    }
    open.delete(runId);
    ended.set(runId, ending);
    const oldest = remembered[next];
    if (oldest !== undefined) ended.delete(oldest);
    remembered[next] = runId;
    next = (next + 1) % REMEMBERED;
  };
  const keep = (runId: RunId, before: readonly BatonEvent[]): KeptRun => {
    const events = [...before];
    let tell: (event: BatonEvent) => void = () => {};
    return {
      events,
      write(event) {
        events.push(event);
        tell(event);
      },
      onDurable(callback) {
        tell = callback;
      },
      durable: () => undefined,
      lease: { epoch: 1 + before.filter(({ type }) => type === "run.paused").length, confirm: () => undefined },
      close() {
        taken.delete(runId);
        if (events.length > before.length) note(runId, events);
      },
      isShared: false,
      onCancel: () => {},
    };
  };
  return {
    begin: (runId) => keep(runId, []),
    takeUp(runId) {
      if (taken.has(runId)) throw new BatonError("run-active", `run '${runId}' is being resumed already`);
      const events = open.get(runId);
      if (events === undefined) throw refusal(runId, ended.get(runId));
      taken.add(runId);
      return keep(runId, events);
    },
    read: (runId) => open.get(runId) ?? [],
  };
}

function refusal(runId: RunId, status: RunStatus | undefined): BatonError {
  return status === undefined
    ? unknownRun(runId)
    : new BatonError("not-paused", `run '${runId}' is not paused: it is ${status}`);
}
