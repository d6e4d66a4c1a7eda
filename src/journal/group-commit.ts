import type { DatabaseSync } from "node:sqlite";
import { BatonError } from "../vocabulary/errors.ts";
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
const RETRY_MS = 50;
/** How many commits of a run that is alone may follow each other before timers and signals get their turn. */
const COMMITS_IN_A_ROW = 16;
/** How long one commit may take in changes before the event loop gets its turn; the others are in the next. */
const SLICE_MS = 10;

export interface GroupCommitOptions {
  /** How long a write waits for other processes. */
  readonly busyMs: number;
  readonly onBegin: () => void;
  readonly onRollback: () => void;
  /** Whether nobody but this one will write in this turn. */
  readonly isAlone: () => boolean;
  readonly toError: (error: unknown) => unknown;
  /** Throws where the file is no longer the one that was opened. */
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

  /** SQLite would go on writing to a file that was deleted or moved. */
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
  /** The process goes on with its other work first: what is left are too many for one turn, or others hold the file. */
  const goOnWith = ({ writes, busy }: Left) => {
    if (busy !== undefined) busySince ??= performance.now();
    if (busySince === undefined || performance.now() - busySince < busyMs) {
      waiting = writes.concat(waiting);
      schedule(() => (busy === undefined ? setImmediate(flush) : setTimeout(flush, RETRY_MS)));
    } else {
      busySince = undefined;
      for (const write of writes) write.reject(toError(busy?.error));
    }
  };
  /** At the end of the turn, so that all runs that go on in it are in one commit. A run that is alone need not wait that long. */
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
        // What a change gives is what its own promise is of.
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

/** What is still to be written. */
interface Left {
  readonly writes: Write[];
  /** Why nothing could be written: others hold the file. */
  readonly busy?: { readonly error: unknown };
}

/** Gives what makes one commit of several changes, as many as one turn has time for, and tells each how it ended. */
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
      // Nothing of it is there. One of them may be what cannot be written, so each is tried on its own.
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

/** As many as one turn has time for. */
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

/** Makes the change; whoever asked is told after the commit. A refusal comes before anything is changed, so the others go on. */
function makeChange({ change, resolve, reject }: Write): () => void {
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
