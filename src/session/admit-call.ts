import type { Agent } from "../crew.ts";
import type { EventData, EventPlace, Failure, QuotaFacts } from "../events.ts";
import { alerts, type Budget, type Excess, type Reservation, raise, reserve, settle } from "../run/budget.ts";
import { type DayTotals, holdInDay, watchDay } from "../run/day-totals.ts";
import type { Demand, Spending } from "../run/quota-caps.ts";
import { quotaWords } from "../run/quota-words.ts";
import type { Run } from "../run/run.ts";
import { type Scope, ScopeClosed } from "../run/scope.ts";

/** Whose call it is, and what it counts in. */
export interface Charged {
  readonly run: Run;
  readonly scope: Scope;
  readonly agent: Agent;
  readonly budget: Budget;
  readonly dayTotals: DayTotals | undefined;
}

/** Leave to make a call. */
export interface Admission {
  /** Books what the call took; without a bill all that was held for it. Warnings are given where they belong. */
  settle(bill: Partial<Spending> | undefined, isRecorded: boolean): void;
  /** The same where nothing may be said any more, since the call's scope is being closed. */
  giveUp(bill?: Partial<Spending>): void;
}

/** Holds what a call may take. Where it does not fit, the cap says what follows. */
export function admit(charged: Charged, place: EventPlace, demand: Demand): Admission | Excess {
  const { run, scope, budget } = charged;
  if (scope.isClosed) throw new ScopeClosed(scope.reason);
  watchDay(budget, charged.dayTotals, run, place);
  const verdict = reserve(budget, demand, run.now());
  if (verdict.type === "refused") return verdict.excess;
  warn(run, place, verdict.warnings);
  return admissionOf(charged, place, verdict.reservation);
}

function admissionOf({ run, dayTotals }: Charged, place: EventPlace, reservation: Reservation): Admission {
  const hold = holdInDay(reservation, dayTotals, run);
  return {
    settle(bill, isRecorded) {
      hold?.settle(bill, isRecorded);
      settle(reservation, bill);
      warn(run, place, alerts(reservation.budget, run.now()));
    },
    giveUp(bill) {
      if (reservation.isSettled) return;
      hold?.settle(bill, run.isGoingOver());
      // What there is to warn of is said before the next call.
      settle(reservation, bill);
    },
  };
}

function warn(run: Run, place: EventPlace, warnings: readonly QuotaFacts[]): void {
  for (const facts of warnings) run.emit(place, "quota.warning", { ...facts, message: quotaWords(facts) });
}

export function isExcess(admission: Admission | Excess): admission is Excess {
  return "facts" in admission;
}

export function tellExcess(
  { run }: Charged,
  place: EventPlace,
  { facts }: Excess,
  onExceed: EventData["quota.exceeded"]["onExceed"],
  instead?: EventData["quota.exceeded"]["instead"],
): void {
  const message = quotaWords(facts);
  run.emit(place, "quota.exceeded", { ...facts, message, onExceed, ...(instead !== undefined && { instead }) });
}

/** Ends whoever has the quota: the run, or a crew in it. Thrown to whoever made the call, as to all others. */
export function stopFor(charged: Charged, { facts, level }: Excess): never {
  const hint =
    facts.wanted === null
      ? `. Give agent '${charged.agent.id}' its prices (cost_limits: input_token_price_per_million, output_token_price_per_million), or models whose prices are listed`
      : "";
  const failure: Failure = { code: "quota", message: quotaWords(facts) + hint, agent: charged.agent.id };
  level.stop(failure);
  throw new ScopeClosed(failure.message);
}

/** Waits for a human to raise the cap, whoever of those who wait for it is answered. */
export async function waitForRaise(charged: Charged, place: EventPlace, excess: Excess): Promise<void> {
  const { run, scope, agent } = charged;
  const { waiting } = excess.kept;
  const asked = run.count(`quota of ${place.path}`) - 1;
  const question = {
    agent: place.crew === undefined ? agent.id : `${place.crew}/${agent.id}`,
    reason: "quota" as const,
    prompt: `${quotaWords(excess.facts)}. Raise it to go on.`,
    options: ["quota"],
  };
  const own = scope.open();
  const wake = () => own.close("the cap was raised");
  waiting.add(wake);
  try {
    const { quota } = await run.ask({ ...place, path: `${place.path}/quota${asked}` }, own, question);
    waiting.delete(wake);
    raise(excess, quota);
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
    const admission = admit(charged, place, { usd: 0, tokens: 0, llmCalls: 0, toolCalls: 1 });
    if (!isExcess(admission)) {
      admission.settle({}, charged.run.isGoingOver());
      return undefined;
    }
    const { onExceed } = admission.kept.quota;
    const instead = onExceed === "degrade" ? { isLastTurn: true } : undefined;
    tellExcess(charged, place, admission, onExceed === "warn" ? "stop" : onExceed, instead);
    if (onExceed === "degrade") return `not called: ${quotaWords(admission.facts)}`;
    if (onExceed !== "pause") return stopFor(charged, admission);
    await waitForRaise(charged, place, admission);
  }
}
