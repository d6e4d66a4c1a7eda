import {
  alerts,
  type Budget,
  type Excess,
  findExcess,
  findQuota,
  type Reservation,
  raise,
  reserve,
  settle,
} from "../run/budget.ts";
import { claimInDay, type DayTotals, holdInDay, watchDay } from "../run/day-totals.ts";
import type { Demand, Spending } from "../run/quota-caps.ts";
import { quotaWords } from "../run/quota-words.ts";
import type { Run } from "../run/run.ts";
import { type Scope, ScopeClosed } from "../run/scope.ts";
import type { Agent } from "../vocabulary/crew.ts";
import type { QuotaFacts } from "../vocabulary/event-data.ts";
import type { EventData, EventPlace, Failure } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import { isPromise } from "../vocabulary/promise.ts";

/** Whose call it is, and what it counts in. */
export interface Charged {
  readonly run: Run;
  readonly scope: Scope;
  readonly place: EventPlace;
  readonly agent: Agent;
  readonly budget: Budget;
  readonly dayTotals: DayTotals | undefined;
}

/** Leave to make a call. */
export interface Admission {
  /** Books what the call took; without a bill all that was held for it. Warnings are given where they belong. */
  settle(bill: Partial<Spending> | undefined, isRecorded: boolean): void;
  /** The same without recording anything, because the call's scope is being closed. */
  giveUp(bill?: Partial<Spending>): void;
}

/** The event that reports a call which a quota did not allow. */
export type Exceeded = EventData["quota.exceeded"];

/** The demand of a call before it is made. */
type Verdict = Admission | Exceeded;

/**
 * Holds what a call may take, unless it does not fit. `degrade` says what may be done in its place. What is decided is on record, and
 * over recorded ground it is what was decided then: prices and prompts may have changed since.
 */
export function admit(
  charged: Charged,
  place: EventPlace,
  demand: Demand,
  degrade: (excess: Excess) => Exceeded["instead"],
): Verdict | Promise<Verdict> {
  const { run, scope, budget, dayTotals } = charged;
  scope.throwIfClosed();
  const claimed = claimInDay({ budget, totals: dayTotals, run, scope }, demand, place, (takeBack) => {
    const verdict = decide(charged, place, demand, degrade, takeBack !== undefined);
    if (isExceeded(verdict)) takeBack?.();
    return verdict;
  });
  if (claimed !== undefined) return claimed;
  watchDay(budget, dayTotals, run, place);
  return decide(charged, place, demand, degrade, false);
}

function decide(
  charged: Charged,
  place: EventPlace,
  demand: Demand,
  degrade: (excess: Excess) => Exceeded["instead"],
  isBooked: boolean,
): Verdict {
  const { run, budget } = charged;
  const exceeded = run.observe(place, "quota.exceeded", () => {
    const excess = findExcess(budget, demand, run.now());
    return excess && exceededBy(excess, degrade);
  });
  if (exceeded !== undefined) return exceeded;
  const [reservation, warnings] = reserve(budget, demand, run.now());
  warn(run, place, warnings);
  return decideAdmission(charged, place, reservation, isBooked);
}

function exceededBy(excess: Excess, degrade: (excess: Excess) => Exceeded["instead"]): Exceeded {
  const { facts } = excess;
  const { onExceed } = excess.kept.quota;
  const told = { ...facts, message: quotaWords(facts) };
  // Raising a cap does not make a price known.
  if (onExceed === "pause" && facts.wanted !== null) return { ...told, onExceed };
  const instead = onExceed === "degrade" ? degrade(excess) : undefined;
  return instead === undefined ? { ...told, onExceed: "stop" } : { ...told, onExceed: "degrade", instead };
}

function decideAdmission(
  { run, dayTotals }: Charged,
  place: EventPlace,
  reservation: Reservation,
  isBooked: boolean,
): Admission {
  const hold = holdInDay(reservation, dayTotals, run, isBooked);
  return {
    settle(bill, isRecorded) {
      hold?.settle(bill, isRecorded);
      settle(reservation, bill);
      warn(run, place, alerts(reservation.budget, run.now()));
    },
    giveUp(bill) {
      if (reservation.isSettled) return;
      hold?.settle(bill, run.isReplaying());
      // What there is to warn of is said before the next call.
      settle(reservation, bill);
    },
  };
}

/** In a replay, repeats the recorded warnings and adds none. */
function warn(run: Run, place: EventPlace, warnings: readonly QuotaFacts[]): void {
  const told = warnings.map((facts) => ({ ...facts, message: quotaWords(facts) }));
  for (let index = 0; run.observe(place, "quota.warning", () => told[index]) !== undefined; ) index++;
}

export function isExceeded(admission: Admission | Exceeded): admission is Exceeded {
  return "onExceed" in admission;
}

/** Ends whoever has the quota: the run, a crew in it, or a call of an agent. Thrown to whoever made the call, as to all others. */
export function stopFor({ agent, budget, place }: Charged, exceeded: Exceeded): never {
  const hint =
    exceeded.wanted === null
      ? `. Give agent '${agent.id}' its prices (cost_limits: input_token_price_per_million, output_token_price_per_million), or models whose prices are listed`
      : "";
  const failure: Failure = { code: "quota", message: exceeded.message + hint, agent: nameSpeaker(place) };
  const { level } = findQuota(budget, exceeded);
  const stop = budget.stops?.get(level) ?? level.stop;
  stop(failure);
  throw new ScopeClosed(failure.message);
}

/** Waits for a human to raise the cap, whoever of those who wait for it is answered. */
export async function waitForRaise(charged: Charged, place: EventPlace, exceeded: Exceeded): Promise<void> {
  const { run, scope, agent } = charged;
  const { kept } = findQuota(charged.budget, exceeded);
  const { waiting } = kept;
  const asked = run.count(`quota of ${place.path}`) - 1;
  const question = {
    agent: nameSpeaker({ agent: agent.id, crew: place.crew }),
    reason: "quota" as const,
    prompt: `${exceeded.message}. Raise the cap to continue.`,
    options: ["quota"],
  };
  const own = scope.open();
  const wake = () => own.close("the cap was raised");
  waiting.add(wake);
  try {
    const { quota } = await run.ask({ ...place, path: `${place.path}/quota${asked}` }, own, question);
    waiting.delete(wake);
    raise(kept, quota);
  } catch (error) {
    if (!(error instanceof ScopeClosed) || scope.isClosed) throw error;
  } finally {
    waiting.delete(wake);
    wake();
  }
}

/** Why a tool is not called, and that the session is to end; undefined where it may be called. */
export async function admitToolCall(charged: Charged, place: EventPlace): Promise<string | undefined> {
  for (;;) {
    const demand = { usd: 0, tokens: 0, llmCalls: 0, toolCalls: 1 };
    const verdict = admit(charged, place, demand, () => ({ isLastTurn: true }));
    // At once where that is possible: calls at once are counted in the order in which they were asked for.
    const admission = isPromise(verdict) ? await verdict : verdict;
    if (!isExceeded(admission)) {
      admission.settle({}, charged.run.isReplaying());
      return undefined;
    }
    if (admission.onExceed === "degrade") return `not called: ${admission.message}`;
    if (admission.onExceed === "stop") return stopFor(charged, admission);
    await waitForRaise(charged, place, admission);
  }
}
