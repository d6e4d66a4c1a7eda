import type { DatabaseSync } from "node:sqlite";
import { BatonError } from "../vocabulary/errors.ts";
import { isBusy } from "./store-errors.ts";

/** Collects everything that runs write in one turn of the event loop into one commit. */
export interface GroupCommit {
  /**
   * Resolves when the commit with the change is done. If `change` refuses, other changes are not affected. If nothing else is
   * waiting, `alone` is tried first: a faster way with its own commit, which returns undefined if it does not apply.
   */
  write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result>;
  /** Resolves when all writes have succeeded or failed. */
  settled(): Promise<void>;
}

interface Write {
  readonly change: () => unknown;
  readonly alone: (() => unknown) | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long other processes get the file before the next attempt. */
const RETRY_MS = 50;
/** How many commits in a row a single run may make before timers and signals get their turn. */
const COMMITS_IN_A_ROW = 16;
/** How long the changes of one commit may take before the event loop gets its turn. The rest goes into the next commit. */
const SLICE_MS = 10;

export interface GroupCommitOptions {
  /** How long a write waits for other processes. */
  readonly busyMs: number;
  readonly onBegin: () => void;
  readonly onRollback: () => void;
  /** Whether no other run will write in this turn. */
  readonly isAlone: () => boolean;
  readonly toError: (error: unknown) => unknown;
  /** Throws if the file is no longer the one that was opened. */
  readonly checkFile: () => void;
}

export function createGroupCommit(database: DatabaseSync, options: GroupCommitOptions): GroupCommit {
  const { busyMs, isAlone, toError, checkFile } = options;
  const commitTogether = createCommit(database, options);
  let waiting: Write[] = [];
  let isScheduled = false;
  let busySince: number | undefined;
  let inARow = 0;
  let onSettled: (() => void)[] = [];

  /** SQLite would continue to write to a file that was deleted or moved. */
  const isInPlace = (writes: readonly Write[]): boolean => {
    try {
      checkFile();
      return true;
    } catch (error) {
      for (const write of writes) write.reject(error);
      return false;
    }
  };
  const commitAll = (writes: readonly Write[]): Left | undefined => {
    const [first] = writes;
    const isDone = first !== undefined && writes.length === 1 && commitAlone(first);
    return isDone ? undefined : commitTogether(writes);
  };
  const flush = () => {
    const writes = waiting;
    waiting = [];
    isScheduled = false;
    const left = isInPlace(writes) ? commitAll(writes) : undefined;
    if (left?.busy === undefined) busySince = undefined;
    if (left !== undefined) goOnWith(left);
    if (isScheduled) return;
    for (const each of onSettled) each();
    onSettled = [];
  };
  /** The process does its other work first, because there are too many writes for one turn, or other processes hold the file. */
  const goOnWith = ({ writes, busy }: Left) => {
    const retry = (start: () => unknown) => {
      waiting = writes.concat(waiting);
      schedule(start);
    };
    if (busy === undefined) return retry(() => setImmediate(flush));
    busySince ??= performance.now();
    if (performance.now() - busySince < busyMs) return retry(() => setTimeout(flush, RETRY_MS));
    busySince = undefined;
    for (const write of writes) write.reject(toError(busy.error));
  };
  /** Started at the end of the turn, so that all runs of the turn share a commit. A single run does not need to wait. */
  const startFlush = () => {
    inARow = isAlone() ? (inARow + 1) % COMMITS_IN_A_ROW : 0;
    if (inARow === 0) setImmediate(flush);
    else process.nextTick(flush);
  };
  const schedule = (start: () => unknown) => {
    if (!isScheduled) start();
    isScheduled = true;
  };
  return {
    write<Result>(change: () => Result, alone?: () => Result | undefined): Promise<Result> {
      return new Promise<Result>((resolve, reject) => {
        // The promise has the type of the change's result.
        waiting.push({ change, alone, resolve: resolve as (result: unknown) => void, reject });
        schedule(startFlush);
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

/** The writes that are left. */
interface Left {
  readonly writes: Write[];
  /** Why nothing could be written: other processes hold the file. */
  readonly busy?: { readonly error: unknown };
}

/** Creates the function that commits as many changes as one turn has time for, and reports the outcome of each. */
function createCommit(
  database: DatabaseSync,
  { onBegin, onRollback, toError }: GroupCommitOptions,
): (writes: readonly Write[]) => Left | undefined {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const commitEach = (writes: readonly Write[]): Left | undefined => {
    for (const [index, write] of writes.entries()) {
      const left = commitTogether([write]);
      if (left !== undefined) return { ...left, writes: writes.slice(index) };
    }
    return undefined;
  };
  const commitTogether = (writes: readonly Write[]): Left | undefined => {
    const outcomes: (() => void)[] = [];
    try {
      begin.run();
      onBegin();
      makeChanges(writes, outcomes);
      commit.run();
    } catch (error) {
      const hasBegun = database.isTransaction;
      if (hasBegun) rollback.run();
      onRollback();
      if (!hasBegun && isBusy(error)) return { writes: [...writes], busy: { error } };
      // The commit was rolled back. One change may be the cause, so each is tried on its own.
      const tried = outcomes.length + 1;
      if (writes.length > 1) return joinLeft(commitEach(writes.slice(0, tried)), writes.slice(tried));
      for (const write of writes) write.reject(toError(error));
      return undefined;
    }
    for (const tell of outcomes) tell();
    return joinLeft(undefined, writes.slice(outcomes.length));
  };
  return commitTogether;
}

/** Makes as many changes as one turn has time for. */
function makeChanges(writes: readonly Write[], outcomes: (() => void)[]): void {
  const start = performance.now();
  for (const write of writes) {
    outcomes.push(makeChange(write));
    if (performance.now() - start > SLICE_MS) return;
  }
}

function joinLeft(left: Left | undefined, more: Write[]): Left | undefined {
  if (left === undefined) return more.length > 0 ? { writes: more } : undefined;
  return { ...left, writes: left.writes.concat(more) };
}

/**
 * Makes the change; its caller is told after the commit. A refusal happens before anything is changed, so the other changes are
 * not affected.
 */
function makeChange({ change, resolve, reject }: Write): () => void {
  try {
    const result = change();
    return () => resolve(result);
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return () => reject(error);
  }
}

/** Returns whether the write is done. */
function commitAlone({ alone, resolve }: Write): boolean {
  try {
    const result = alone?.();
    if (result !== undefined) resolve(result);
    return result !== undefined;
  } catch {
    // The other way has the same problem, and reports it or waits.
    return false;
  }
}
