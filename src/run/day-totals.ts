import { addUsd } from "../vocabulary/bill.ts";
import type { EventPlace } from "../vocabulary/events.ts";
import { type Budget, findDayCounter, fits, formatDay, type Level, type Reservation } from "./budget.ts";
import { type Demand, nothingSpent, type Spending } from "./quota-caps.ts";
import type { Run } from "./run.ts";
import type { Scope } from "./scope.ts";

/**
 * What all runs of a day took, by day and crew, or day, crew and agent. Calls under way are in it with the most that they may
 * take. Read at once; where a store is behind it, what is added is written in passing.
 */
export interface DayTotals {
  read(key: string): Spending;
  add(key: string, change: Spending): void;
  /**
   * There where other processes add to the totals, too: adds to all of the keys, and says so, if that is still wanted when what
   * others added is seen. Nobody else comes in between.
   */
  claim?(keys: readonly string[], change: Spending, isWanted: (read: DayTotals["read"]) => boolean): Promise<boolean>;
}

/** Days are counted within the process where nothing keeps them longer. */
export function createDayTotals(): DayTotals {
  const totals = new Map<string, Spending>();
  const read = (key: string) => totals.get(key) ?? nothingSpent;
  return { read, add: (key, change) => void totals.set(key, sum(read(key), change)) };
}

/** Sees what other runs took of the day's quotas; on record, where that has changed. */
export function watchDay(budget: Budget, totals: DayTotals | undefined, run: Run, place: EventPlace): void {
  const levels = levelsOfDay(budget);
  if (levels.length === 0) return;
  const ts = run.now();
  const seen = run.observe(place, "quota.day", () => {
    const changes = totals === undefined ? [] : levels.flatMap((level) => findChange(level, totals, ts));
    return changes.length === 0 ? undefined : Object.fromEntries(changes);
  });
  for (const level of levels) {
    const others = seen?.[level.key];
    if (others !== undefined) findDayCounter(level, ts).others = others;
  }
}

/**
 * The same where other processes share the totals: what the call may take is booked before it is let pass, so that no two of them
 * take what is left. `decide` is given what takes that back, if it is booked. Undefined where nobody shares them.
 */
export function claimInDay<Verdict>(
  { budget, totals, run, scope }: Claiming,
  demand: Demand,
  place: EventPlace,
  decide: (takeBack: (() => void) | undefined) => Verdict,
): Promise<Verdict> | undefined {
  const levels = levelsOfDay(budget);
  const at = { ...place, path: `${place.path}/day` };
  if (levels.length === 0 || (totals?.claim === undefined && !run.hasRecorded(at, "quota.day"))) return undefined;
  const most = readMost(demand);
  const keys = levels.map((level) => formatKey(level, run.now()));
  let isBooked = false;
  const noLongerPending = () => {
    if (isBooked) for (const level of levels) level.claimed = difference(level.claimed, most);
  };
  const takeBack = () => {
    for (const key of keys) totals?.add(key, difference(nothingSpent, most));
  };
  const ask = async () => {
    const ts = run.now();
    let seen: readonly Spending[] = [];
    const isWanted = (read: DayTotals["read"]) => {
      seen = levels.map((level, index) => difference(countOthers(level, read(keys[index] ?? ""), ts), level.claimed));
      return fitsBeside(budget, demand, ts, levels, seen);
    };
    isBooked = (await totals?.claim?.(keys, most, isWanted)) ?? false;
    if (isBooked) for (const level of levels) level.claimed = sum(level.claimed, most);
    return Object.fromEntries(levels.map(({ key }, index) => [key, notNegative(seen[index] ?? nothingSpent)]));
  };
  const onClosed = () => {
    noLongerPending();
    if (isBooked) takeBack();
  };
  return run.consult(at, scope, "quota.day", { ask, takeBack: onClosed }).then((others) => {
    noLongerPending();
    for (const level of levels) findDayCounter(level, run.now()).others = others[level.key] ?? nothingSpent;
    // In the same breath: what is pending no longer is held from now on.
    return decide(isBooked ? takeBack : undefined);
  });
}

interface Claiming {
  readonly budget: Budget;
  readonly totals: DayTotals | undefined;
  readonly run: Run;
  readonly scope: Scope;
}

/** Whether a call fits, given what others took of the day, and what is booked for calls of this run that are about to be let pass. */
function fitsBeside(
  budget: Budget,
  demand: Demand,
  ts: number,
  levels: readonly Level[],
  seen: readonly Spending[],
): boolean {
  const counters = levels.map((level) => findDayCounter(level, ts));
  const before = counters.map(({ others }) => others);
  for (const [index, counter] of counters.entries())
    counter.others = sum(notNegative(seen[index] ?? nothingSpent), levels[index]?.claimed ?? nothingSpent);
  const isFitting = fits(budget, demand, ts);
  for (const [index, counter] of counters.entries()) counter.others = before[index] ?? nothingSpent;
  return isFitting;
}

/** What is in a total that is not of this run. */
function countOthers(level: Level, total: Spending, ts: number): Spending {
  const { spent, reserved } = findDayCounter(level, ts);
  return difference(total, sum(spent, { ...nothingSpent, ...reserved }));
}

function readMost(demand: Demand): Spending {
  return { ...demand, usd: demand.usd ?? 0 };
}

/** What others took, where that is something else than was seen before. */
function findChange(level: Level, totals: DayTotals, ts: number): [key: string, others: Spending][] {
  const { others } = findDayCounter(level, ts);
  const now = notNegative(countOthers(level, totals.read(formatKey(level, ts)), ts));
  const { usd, tokens, llmCalls, toolCalls } = difference(now, others);
  return Math.abs(usd) < 1e-9 && tokens === 0 && llmCalls === 0 && toolCalls === 0 ? [] : [[level.key, now]];
}

/** Tells other runs what a call may take, unless that is booked, and gives what tells them what it took. */
export function holdInDay(
  { budget, demand }: Reservation,
  totals: DayTotals | undefined,
  run: Run,
  isBooked: boolean,
): DayHold | undefined {
  const levels = totals === undefined ? [] : levelsOfDay(budget);
  if (totals === undefined || levels.length === 0) return undefined;
  const keysNow = () => levels.map((level) => formatKey(level, run.now()));
  const keys = keysNow();
  const most = readMost(demand);
  const isReplayed = run.isReplaying();
  // What is only replayed was told when it happened.
  if (!isBooked && !isReplayed) for (const key of keys) totals.add(key, most);
  return {
    settle(bill, isRecorded) {
      if (isRecorded) return;
      const spent = { ...most, ...bill };
      // What was held where a fork begins was the other run's.
      if (isReplayed && run.isFork()) for (const key of keysNow()) totals.add(key, spent);
      else for (const key of keys) totals.add(key, difference(spent, most));
    },
  };
}

export interface DayHold {
  /** Without a bill all that was held is taken for spent. */
  settle(bill: Partial<Spending> | undefined, isRecorded: boolean): void;
}

function levelsOfDay({ levels }: Budget): Level[] {
  return levels.filter(({ quotas }) => quotas.some(({ quota }) => quota.per === "day"));
}

function formatKey({ key }: Level, ts: number): string {
  return keyOfDay(key, formatDay(ts));
}

/** The key under which a day's spending is stored; a level's key is its crew, or crew and agent. */
export function keyOfDay(key: string, day: string): string {
  return `${day} ${key}`;
}

export function sum(a: Spending, b: Spending): Spending {
  return {
    usd: addUsd(a.usd, b.usd),
    tokens: a.tokens + b.tokens,
    llmCalls: a.llmCalls + b.llmCalls,
    toolCalls: a.toolCalls + b.toolCalls,
  };
}

export function difference(a: Spending, b: Spending): Spending {
  return sum(a, { usd: -b.usd, tokens: -b.tokens, llmCalls: -b.llmCalls, toolCalls: -b.toolCalls });
}

/** A process that knows nothing of what this run did before has less on its books than the run has. */
function notNegative({ usd, tokens, llmCalls, toolCalls }: Spending): Spending {
  return {
    usd: Math.max(0, usd),
    tokens: Math.max(0, tokens),
    llmCalls: Math.max(0, llmCalls),
    toolCalls: Math.max(0, toolCalls),
  };
}
