import { addUsd } from "../vocabulary/bill.ts";
import type { QuotaFacts } from "../vocabulary/event-data.ts";
import type { Failure } from "../vocabulary/events.ts";
import type { Quota } from "../vocabulary/quota.ts";
import {
  type Cap,
  type Counter,
  caps,
  type Demand,
  noteCall,
  nothingSpent,
  readRaise,
  type Spending,
} from "./quota-caps.ts";

/** Whose quotas they are, and how those who exceed them are stopped. */
export interface LevelOwner {
  readonly level: QuotaFacts["level"];
  readonly name: string;
  /** The key under which a day's spending is stored. */
  readonly key: string;
  stop(failure: Failure): void;
}

/** One level of a run that has quotas: the run, a crew, an agent. What is spent below it counts in it. */
export interface Level extends LevelOwner {
  readonly quotas: readonly KeptQuota[];
  readonly ofRun: Counter;
  /** What is counted of the day, where a quota is for days. */
  ofDay: { readonly day: string; readonly counter: Counter } | undefined;
  /** What is booked in the day's totals for calls that are about to be let pass. */
  claimed: Spending;
}

export interface KeptQuota {
  quota: Quota;
  /** Caps that were warned of: near, and exceeded. */
  readonly told: Set<string>;
  /** Told when a cap is raised. */
  readonly waiting: Set<() => void>;
}

/** The levels that a call counts in, the innermost first. */
export interface Budget {
  readonly levels: readonly Level[];
  /** Whether tokens or dollars are capped, so that what a model may write must be. */
  readonly capsTokens: boolean;
  /** What ends in the place of what a level's quota ends otherwise, where that is only a call. */
  readonly stops?: ReadonlyMap<Level, LevelOwner["stop"]> | undefined;
}

/** A cap that a call does not fit under. */
export interface Excess {
  readonly level: Level;
  readonly kept: KeptQuota;
  readonly cap: Cap;
  readonly facts: QuotaFacts;
}

/** What is held for a call until its bill is known. */
export interface Reservation {
  readonly budget: Budget;
  readonly demand: Demand;
  readonly counters: readonly Counter[];
  isSettled: boolean;
}

export function createLevel(quotas: readonly Quota[], owner: LevelOwner): Level {
  return {
    ...owner,
    quotas: quotas.map((quota) => ({ quota, told: new Set(), waiting: new Set() })),
    ofRun: newCounter(),
    ofDay: undefined,
    claimed: nothingSpent,
  };
}

/** A budget with one more level, which others may share. */
export function within(budget: Budget | undefined, level: Level, stop?: LevelOwner["stop"]): Budget {
  const capsTokens = level.quotas.some(
    ({ quota }) => isHard(quota) && (quota.maxCostUsd ?? quota.maxTokens ?? quota.maxTokensPerCall) !== undefined,
  );
  const stops = stop === undefined ? budget?.stops : new Map([...(budget?.stops ?? []), [level, stop]]);
  return { levels: [level, ...(budget?.levels ?? [])], capsTokens: capsTokens || budget?.capsTokens === true, stops };
}

function newCounter(): Counter {
  return { spent: nothingSpent, reserved: { usd: 0, tokens: 0 }, open: 0, others: nothingSpent, calledAt: [] };
}

function isHard({ onExceed }: Quota): boolean {
  return onExceed !== "warn";
}

/** Dollars are sums of fractions: a difference as small as this is none. */
const NO_DIFFERENCE = 1e-9;

/** Why a call is not let pass: of the caps that it does not fit under, one of the strictest quota. */
export function findExcess(budget: Budget, demand: Demand, ts: number): Excess | undefined {
  const hard = excesses(budget, demand, ts).filter(({ kept }) => isHard(kept.quota));
  return hard.sort((a, b) => strictness(a) - strictness(b))[0];
}

/** Holds what a call may take at every level; gives what there is to warn of. */
export function reserve(budget: Budget, demand: Demand, ts: number): [Reservation, warnings: readonly QuotaFacts[]] {
  const soft = excesses(budget, demand, ts).filter(({ kept }) => !isHard(kept.quota));
  const counters = budget.levels.flatMap((level) => listCounters(level, ts));
  for (const counter of counters) book(counter, demand, ts);
  const exceeded = soft.filter(({ kept, cap }) => isNew(kept, `exceeded ${cap.name}`)).map(({ facts }) => facts);
  return [{ budget, demand, counters, isSettled: false }, [...exceeded, ...alerts(budget, ts)]];
}

/** The level and the quota that an event tells of. */
export function findQuota(
  { levels }: Budget,
  exceeded: QuotaFacts & Pick<Quota, "onExceed">,
): { readonly level: Level; readonly kept: KeptQuota } {
  const { quota: name, limit, per, onExceed } = exceeded;
  const cap = caps.find((each) => each.name === name);
  const found = levels
    .filter((level) => level.level === exceeded.level && level.name === exceeded.of)
    .flatMap((level) => level.quotas.map((kept) => ({ level, kept })))
    .filter(({ kept: { quota } }) => cap !== undefined && quota.per === per && quota[cap.field] === limit);
  // One that cannot do what it says stops the run, too.
  const best = found.find(({ kept }) => kept.quota.onExceed === onExceed) ?? found[0];
  if (best === undefined) throw new Error(`the crew has no quota ${name} of ${limit} any more`);
  return best;
}

/** Whether a call would be let pass. */
export function fits(budget: Budget, demand: Demand, ts: number): boolean {
  return !excesses(budget, demand, ts).some(({ kept }) => isHard(kept.quota));
}

function excesses({ levels }: Budget, demand: Demand, ts: number): Excess[] {
  const found: Excess[] = [];
  for (const level of levels) {
    for (const kept of level.quotas) {
      const counter = findCounter(level, kept.quota, ts);
      for (const cap of caps) {
        const limit = kept.quota[cap.field];
        const wanted = limit === undefined ? 0 : cap.wanted(demand);
        if (limit === undefined || wanted === 0) continue;
        const isKept =
          wanted !== undefined && cap.used(counter, ts) + cap.reserved(counter) + wanted <= limit + NO_DIFFERENCE;
        if (!isKept)
          found.push({ level, kept, cap, facts: describeFacts(level, kept.quota, cap, counter, ts, wanted) });
      }
    }
  }
  return found;
}

function describeFacts(
  { level, name }: Level,
  quota: Quota,
  cap: Cap,
  counter: Counter,
  ts: number,
  wanted: number | undefined,
): QuotaFacts {
  return {
    quota: cap.name,
    level,
    of: name,
    per: quota.per,
    limit: quota[cap.field] ?? 0,
    used: cap.used(counter, ts),
    reserved: cap.reserved(counter),
    wanted: wanted ?? null,
  };
}

function strictness({ kept }: Excess): number {
  return ["stop", "pause", "degrade", "warn"].indexOf(kept.quota.onExceed);
}

/** What is counted by a quota: the run's figures, or the day's. */
function findCounter(level: Level, { per }: Quota, ts: number): Counter {
  return per === "run" ? level.ofRun : findDayCounter(level, ts);
}

/** The figures of the day; with another day others begin. */
export function findDayCounter(level: Level, ts: number): Counter {
  const day = formatDay(ts);
  if (level.ofDay?.day !== day) level.ofDay = { day, counter: newCounter() };
  return level.ofDay.counter;
}

/** The day of a moment, the same everywhere. */
export function formatDay(ts: number): string {
  return new Date(ts).toISOString().slice(0, 10);
}

function listCounters(level: Level, ts: number): Counter[] {
  return [...new Set([level.ofRun, ...level.quotas.map(({ quota }) => findCounter(level, quota, ts))])];
}

/** A call counts when it is made, whatever becomes of it; what it takes is held until that is known. */
function book(counter: Counter, { usd = 0, tokens, llmCalls, toolCalls }: Demand, ts: number): void {
  const { spent, reserved } = counter;
  counter.spent = { ...spent, llmCalls: spent.llmCalls + llmCalls, toolCalls: spent.toolCalls + toolCalls };
  counter.reserved = { usd: addUsd(reserved.usd, usd), tokens: reserved.tokens + tokens };
  counter.open++;
  if (llmCalls > 0) noteCall(counter, ts);
}

/** Books what a call took: all that was held for it where nobody knows. */
export function settle(reservation: Reservation, bill: Partial<Spending> | undefined): void {
  if (reservation.isSettled) return;
  reservation.isSettled = true;
  const { demand, counters } = reservation;
  const usd = bill?.usd ?? demand.usd ?? 0;
  const tokens = bill?.tokens ?? demand.tokens;
  for (const counter of counters) {
    const { spent, reserved } = counter;
    counter.spent = { ...spent, usd: addUsd(spent.usd, usd), tokens: spent.tokens + tokens };
    counter.reserved = { usd: addUsd(reserved.usd, -(demand.usd ?? 0)), tokens: reserved.tokens - demand.tokens };
    // Where nothing is held nothing is, whatever fractions are left.
    if (--counter.open === 0) counter.reserved = { usd: 0, tokens: 0 };
  }
}

/** Caps of which so much is used that a warning is due, once each. */
export function alerts({ levels }: Budget, ts: number): QuotaFacts[] {
  return levels.flatMap((level) =>
    level.quotas.flatMap((kept) => {
      const counter = findCounter(level, kept.quota, ts);
      return caps.flatMap((cap) => {
        const limit = kept.quota[cap.field] ?? 0;
        const used = limit === 0 ? 0 : cap.used(counter, ts);
        const isDue = used > 0 && used >= limit * kept.quota.alertThreshold - NO_DIFFERENCE;
        return isDue && isNew(kept, `near ${cap.name}`) ? [describeFacts(level, kept.quota, cap, counter, ts, 0)] : [];
      });
    }),
  );
}

function isNew({ told }: KeptQuota, what: string): boolean {
  if (told.has(what)) return false;
  told.add(what);
  return true;
}

/** Raises caps of a quota that it has, as a human says; those who wait for that are told. */
export function raise(kept: KeptQuota, answer: unknown): void {
  const raised = readRaise(answer);
  if ("problem" in raised) return;
  const { quota, told, waiting } = kept;
  const higher = caps.flatMap(({ field }) => {
    const [limit, wanted] = [quota[field], raised[field]];
    return limit !== undefined && wanted !== undefined && wanted > limit ? [[field, wanted] as const] : [];
  });
  kept.quota = { ...quota, ...Object.fromEntries(higher) };
  told.clear();
  for (const wake of [...waiting]) wake();
}

/** Whether the next model call is the last that a quota lets pass which would rather see the work ended than interrupted. */
export function isLastCall({ levels }: Budget, ts: number): boolean {
  return levels.some((level) =>
    level.quotas.some(({ quota }) => {
      const { onExceed, maxLlmCalls } = quota;
      if (onExceed !== "degrade" || maxLlmCalls === undefined) return false;
      const { spent, others } = findCounter(level, quota, ts);
      return spent.llmCalls + others.llmCalls === maxLlmCalls - 1;
    }),
  );
}

/** The most tokens that one call may take. */
export function mostPerCall({ levels }: Budget): number {
  const limits = levels.flatMap(({ quotas }) =>
    quotas.map(({ quota }) => (isHard(quota) ? quota.maxTokensPerCall : undefined) ?? Number.POSITIVE_INFINITY),
  );
  return Math.min(...limits);
}
