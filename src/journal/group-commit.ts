import type { DatabaseSync } from "node:sqlite";
import { BatonError } from "../errors.ts";
import { isBusy } from "./store-errors.ts";

/** Gathers what is written in one turn of the event loop, by any number of runs, into one commit. */
export interface GroupCommit {
  /**
   * Done when the commit that holds the change is. What `change` refuses harms nobody else. Where nothing else is to be
   * written, `alone` is tried first: a shorter way, in a commit of its own, that gives undefined where it does not lead there.
   */
  write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result>;
  /** Done when everything that was asked for is, one way or the other. */
  settled(): Promise<void>;
}

interface Write {
  readonly change: () => unknown;
  readonly alone: (() => unknown) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long to leave the file to others before the next try. */
const RETRY_MS = 10;

export interface GroupCommitOptions {
  /** How long a write waits for other processes. */
  readonly busyMs: number;
  readonly onBegin: () => void;
  readonly onRollback: () => void;
  /** Whether nobody but this one will write in this turn. */
  readonly isAlone: () => boolean;
  readonly toError: (error: unknown) => unknown;
}

export function createGroupCommit(database: DatabaseSync, options: GroupCommitOptions): GroupCommit {
  const { busyMs, onBegin, onRollback, isAlone, toError } = options;
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  let waiting: Write[] = [];
  let isScheduled = false;
  let busySince: number | undefined;
  let onSettled: (() => void)[] = [];

  const flush = () => {
    const writes = waiting;
    waiting = [];
    isScheduled = false;
    const [first] = writes;
    if (first === undefined || writes.length > 1 || !commitAlone(first)) commitTogether(writes);
    if (isScheduled) return;
    for (const each of onSettled) each();
    onSettled = [];
  };
  const commitTogether = (writes: readonly Write[]): void => {
    if (!tryToBegin(writes)) return;
    const outcomes: (() => void)[] = [];
    try {
      onBegin();
      for (const write of writes) outcomes.push(outcomeOf(write));
      commit.run();
    } catch (error) {
      if (database.isTransaction) rollback.run();
      onRollback();
      // Nothing of it is there. One of them may be what cannot be written, so each is tried on its own.
      for (const write of writes) {
        if (writes.length > 1) commitTogether([write]);
        else write.reject(toError(error));
      }
      return;
    }
    for (const tell of outcomes) tell();
  };
  /** While others hold the file, the process goes on with its other work. */
  const tryToBegin = (writes: readonly Write[]): boolean => {
    try {
      begin.run();
      busySince = undefined;
      return true;
    } catch (error) {
      busySince ??= performance.now();
      if (isBusy(error) && performance.now() - busySince < busyMs) {
        waiting.push(...writes);
        schedule(() => setTimeout(flush, RETRY_MS));
      } else {
        busySince = undefined;
        for (const write of writes) write.reject(toError(error));
      }
      return false;
    }
  };
  const schedule = (start: () => unknown) => {
    if (!isScheduled) start();
    isScheduled = true;
  };
  return {
    write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        // What a change gives is what its own promise is of.
        waiting.push({ change, alone, resolve: resolve as (result: unknown) => void, reject });
        // At the end of the turn, so that all runs that go on in it are in one commit. A run that is alone need not wait that long.
        schedule(() => (isAlone() ? process.nextTick(flush) : setImmediate(flush)));
      });
    },
    settled() {
      return new Promise((resolve) => {
        if (isScheduled) onSettled.push(resolve);
        else resolve();
      });
    },
  };
}

/** Makes the change; whoever asked is told after the commit. A refusal comes before anything is changed, so the others go on. */
function outcomeOf({ change, resolve, reject }: Write): () => void {
  try {
    const result = change();
    return () => resolve(result);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return () => reject(error);
  }
}

/** Says whether that was all there was to do. */
function commitAlone({ alone, resolve }: Write): boolean {
  try {
    const result = alone?.();
    if (result !== undefined) resolve(result);
    return result !== undefined;
  } catch {
    // Whatever is in the way is in the way of the other commit too, which tells of it, or waits.
    return false;
  }
}
