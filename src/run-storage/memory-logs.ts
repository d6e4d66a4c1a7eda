import { createHash } from "node:crypto";
import type { Blobs } from "../run/run-attachments.ts";
import type { RunLease } from "../run/run-core.ts";
import type { RunStatus } from "../views/run-result.ts";
import { BatonError, explainUnknownRun } from "../vocabulary/errors.ts";
import type { BatonEvent, EventType } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { RunLog, RunLogs } from "./run-log.ts";

const endings: Partial<Record<EventType, RunStatus>> = {
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

/** The ids of this many ended runs are remembered. */
const REMEMBERED = 1000;

/** Keeps unfinished runs, such as paused ones, as long as the crew handle exists. Of ended runs it keeps only how they ended. */
export class MemoryLogs implements RunLogs {
  readonly #open = new Map<RunId, readonly BatonEvent[]>();
  /** The bytes that unfinished runs refer to, by their hash. */
  readonly #blobs = new Map<RunId, Map<string, Uint8Array>>();
  readonly #taken = new Set<RunId>();
  readonly #ended = new Map<RunId, RunStatus>();
  /** The ids of ended runs, in a ring: the newest one replaces the oldest. */
  readonly #remembered: RunId[] = [];
  #next = 0;

  begin(runId: RunId): RunLog {
    return new MemoryLog(runId, [], this);
  }

  takeUp(runId: RunId): RunLog {
    if (this.#taken.has(runId))
      throw new BatonError(
        "run-active",
        `run '${runId}' is being continued already, by another call: wait for its result, or pass { wait: true }`,
      );
    const events = this.#open.get(runId);
    if (events === undefined) throw explainRefusal(runId, this.#ended.get(runId));
    this.#taken.add(runId);
    return new MemoryLog(runId, events, this);
  }

  read(runId: RunId): readonly BatonEvent[] {
    return this.#open.get(runId) ?? [];
  }

  openBlobs(runId: RunId): Blobs {
    return {
      save: (bytes) => {
        const own = this.#blobs.get(runId) ?? new Map<string, Uint8Array>();
        this.#blobs.set(runId, own.set(createHash("sha256").update(bytes).digest("hex"), Uint8Array.from(bytes)));
      },
      read: (sha256) => this.#blobs.get(runId)?.get(sha256),
    };
  }

  /** Takes back the log of a run that has ended or waits. */
  giveBack(runId: RunId, events: readonly BatonEvent[], before: number): void {
    const wasTaken = before > 0;
    if (wasTaken) this.#taken.delete(runId);
    const last = events.at(-1)?.type;
    const ending = last && endings[last];
    // A run that was refused has no events.
    if (ending !== undefined || last === undefined) this.#blobs.delete(runId);
    if (events.length === before) return;
    if (ending === undefined) {
      this.#open.set(runId, events);
      return;
    }
    if (wasTaken) this.#open.delete(runId);
    this.#ended.set(runId, ending);
    const oldest = this.#remembered[this.#next];
    if (oldest !== undefined) this.#ended.delete(oldest);
    this.#remembered[this.#next] = runId;
    this.#next = (this.#next + 1) % REMEMBERED;
  }
}

class MemoryLog implements RunLog {
  readonly isShared = false;
  readonly events: BatonEvent[];
  readonly lease: RunLease;
  readonly blobs: Blobs;
  readonly #runId: RunId;
  readonly #before: number;
  readonly #logs: MemoryLogs;
  #tell: ((event: BatonEvent) => void) | undefined;

  constructor(runId: RunId, before: readonly BatonEvent[], logs: MemoryLogs) {
    this.#runId = runId;
    this.#before = before.length;
    this.#logs = logs;
    this.events = before.length === 0 ? [] : [...before];
    this.blobs = logs.openBlobs(runId);
    this.lease = before.length === 0 ? firstLease : createLease(before);
  }

  write(event: BatonEvent): void {
    this.events.push(event);
    this.#tell?.(event);
  }

  onDurable(callback: (event: BatonEvent) => void): void {
    this.#tell = callback;
  }

  durable(): undefined {}

  onCancel(): void {}

  close(): undefined {
    this.#logs.giveBack(this.#runId, this.events, this.#before);
  }
}

const firstLease: RunLease = { epoch: 1, confirm: () => undefined };

function createLease(before: readonly BatonEvent[]): RunLease {
  return { ...firstLease, epoch: 1 + before.filter(({ type }) => type === "run.paused").length };
}

function explainRefusal(runId: RunId, status: RunStatus | undefined): BatonError {
  return status === undefined
    ? explainUnknownRun(runId)
    : new BatonError("not-paused", `run '${runId}' is not paused: it is ${status}`);
}
