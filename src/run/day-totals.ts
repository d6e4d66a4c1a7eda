import type { EventPlace } from "../events.ts";
import { type Budget, dayCounterOf, dayOf, type Level, type Reservation } from "./budget.ts";
import { nothingSpent, type Spending } from "./quota-caps.ts";
import type { Run } from "./run.ts";

/**
 * What all runs of a day took, by day and crew, or day, crew and agent. Calls under way are in it with the most that they may
 * take. Read before each call, so it answers at once; a store behind it is read when a run begins, and written in passing.
 */
export interface DayTotals {
  read(key: string): Spending;
  add(key: string, change: Spending): void;
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
    const changes = totals === undefined ? [] : levels.flatMap((level) => changeOf(level, totals, ts));
    return changes.length === 0 ? undefined : Object.fromEntries(changes);
  });
  for (const level of levels) {
    const others = seen?.[level.key];
    if (others !== undefined) dayCounterOf(level, ts).others = others;
  }
}

/** What others took, where that is something else than was seen before. */
function changeOf(level: Level, totals: DayTotals, ts: number): [key: string, others: Spending][] {
  const { spent, reserved, others } = dayCounterOf(level, ts);
  const own = sum(spent, { ...nothingSpent, ...reserved });
  const now = notNegative(difference(totals.read(keyOf(level, ts)), own));
  const { usd, tokens, llmCalls, toolCalls } = difference(now, others);
  return Math.abs(usd) < 1e-9 && tokens === 0 && llmCalls === 0 && toolCalls === 0 ? [] : [[level.key, now]];
}

/** Tells other runs what a call may take, and gives what tells them what it took. */
export function holdInDay(
  { budget, demand }: Reservation,
  totals: DayTotals | undefined,
  run: Run,
): DayHold | undefined {
  const levels = totals === undefined ? [] : levelsOfDay(budget);
  if (totals === undefined || levels.length === 0) return undefined;
  const keysNow = () => levels.map((level) => keyOf(level, run.now()));
  const keys = keysNow();
  const most = { ...demand, usd: demand.usd ?? 0 };
  const isGoneOver = run.isGoingOver();
  // What is only gone over again was told when it happened.
  if (!isGoneOver) for (const key of keys) totals.add(key, most);
  return {
    settle(bill, isRecorded) {
      if (isRecorded) return;
      const spent = { ...most, ...bill };
      // What was held where a fork begins was the other run's.
      if (isGoneOver && run.isFork()) for (const key of keysNow()) totals.add(key, spent);
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

function keyOf({ key }: Level, ts: number): string {
  return keyOfDay(key, dayOf(ts));
}

/** What a day's spending is kept under; a level's key is its crew, or crew and agent. */
export function keyOfDay(key: string, day: string): string {
  return `${day} ${key}`;
}

export function sum(a: Spending, b: Spending): Spending {
  return {
    usd: a.usd + b.usd,
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
