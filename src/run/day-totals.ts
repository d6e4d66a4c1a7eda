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
  return { read, add: (key, change) => void totals.set(key, plus(read(key), change, 1)) };
}

/** Sees what other runs took of the day's quotas; on record, where that has changed. */
export function watchDay(budget: Budget, totals: DayTotals | undefined, run: Run, place: EventPlace): void {
  const levels = levelsOfDay(budget);
  if (totals === undefined || levels.length === 0) return;
  const ts = run.now();
  const seen = run.observe(place, "quota.day", () => {
    const changes = levels.flatMap((level) => {
      const { spent, reserved, others } = dayCounterOf(level, ts);
      const own = plus(spent, { ...nothingSpent, ...reserved }, 1);
      const now = notNegative(plus(totals.read(keyOf(level, ts)), own, -1));
      const isSame = Math.abs(now.usd - others.usd) < 1e-9 && plus(now, others, -1).tokens === 0;
      return isSame && now.llmCalls === others.llmCalls && now.toolCalls === others.toolCalls ? [] : [[level.key, now]];
    });
    return changes.length === 0 ? undefined : Object.fromEntries(changes);
  });
  for (const level of levels) {
    const others = seen?.[level.key];
    if (others !== undefined) dayCounterOf(level, ts).others = others;
  }
}

/** Tells other runs what a call may take, and gives what tells them what it took. */
export function holdInDay(
  { budget, demand }: Reservation,
  totals: DayTotals | undefined,
  run: Run,
): DayHold | undefined {
  const keys = totals === undefined ? [] : levelsOfDay(budget).map((level) => keyOf(level, run.now()));
  if (totals === undefined || keys.length === 0) return undefined;
  const most = { ...demand, usd: demand.usd ?? 0 };
  // What is only gone over again was told when it happened; what was under way when a process died stays held.
  const isHeld = !run.isGoingOver();
  if (isHeld) for (const key of keys) totals.add(key, most);
  return {
    settle(bill, isRecorded) {
      if (isRecorded) return;
      const took = { ...most, ...bill };
      for (const key of keys) totals.add(key, isHeld ? plus(took, most, -1) : took);
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
  return `${dayOf(ts)} ${key}`;
}

function plus(a: Spending, b: Spending, sign: 1 | -1): Spending {
  return {
    usd: a.usd + sign * b.usd,
    tokens: a.tokens + sign * b.tokens,
    llmCalls: a.llmCalls + sign * b.llmCalls,
    toolCalls: a.toolCalls + sign * b.toolCalls,
  };
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
