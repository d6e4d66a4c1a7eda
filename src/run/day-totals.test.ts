import { describe, expect, it } from "vitest";
import { createQuota } from "../../test/create-quota.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { toRunId } from "../vocabulary/ids.ts";
import { type Budget, createLevel, findDayCounter, formatDay, within } from "./budget.ts";
import { claimInDay, createDayTotals, type DayTotals, keyOfDay, watchDay } from "./day-totals.ts";
import { type Demand, nothingSpent, type Spending } from "./quota-caps.ts";
import { Run } from "./run.ts";
import { Scope } from "./scope.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const call: Demand = { usd: undefined, tokens: 0, llmCalls: 1, toolCalls: 0 };
const at = { path: "0" };

function open(maxLlmCalls: number) {
  const clock = createVirtualClock();
  const events: BatonEvent[] = [];
  const control = { isStopping: false, isAborted: false };
  const onEvent = (event: BatonEvent) => void events.push(event);
  const run = new Run({ id: toRunId("run_day"), clock, recorded: [], control, onEvent });
  const quota = createQuota({ per: "day", maxLlmCalls });
  const level = createLevel([quota], { level: "crew", name: "desk", key: "desk", stop() {} });
  const budget: Budget = within(undefined, level);
  return { run, events, level, budget, others: () => findDayCounter(level, run.now()).others };
}

/** Totals that other processes share, and that look at what is wanted before they book. */
function createShared(taken: Spending, onLooked: () => void = () => {}): DayTotals & { readonly booked: Spending[] } {
  const booked: Spending[] = [];
  return {
    ...createDayTotals(),
    booked,
    async claim(_, change, isWanted) {
      const isBooked = isWanted(() => taken);
      onLooked();
      if (isBooked) booked.push(change);
      return isBooked;
    },
  };
}

describe("what other runs took of a day", () => {
  it("is seen where it is nothing but calls, once", () => {
    const { run, events, budget, others } = open(5);
    const totals = createDayTotals();
    totals.add(keyOfDay("desk", formatDay(run.now())), { ...nothingSpent, llmCalls: 3 });
    watchDay(budget, totals, run, at);
    watchDay(budget, totals, run, at);
    expect(others()).toMatchObject({ llmCalls: 3 });
    expect(events.map(({ type }) => type)).toEqual(["quota.day"]);
  });
});

describe("a claim in a day that processes share", () => {
  it("is booked before the call is let pass, where it fits beside what others took", async () => {
    const { run, budget, others } = open(5);
    const totals = createShared({ ...nothingSpent, llmCalls: 4 });
    const takesBack = await claimInDay({ budget, totals, run, scope: new Scope() }, call, at, (takeBack) => takeBack);
    expect(totals.booked).toMatchObject([{ llmCalls: 1 }]);
    expect(takesBack).toBeTypeOf("function");
    expect(others()).toMatchObject({ llmCalls: 4 });
  });

  it("is not booked where the day is used up", async () => {
    const { run, budget } = open(5);
    const totals = createShared({ ...nothingSpent, llmCalls: 5 });
    const takesBack = await claimInDay({ budget, totals, run, scope: new Scope() }, call, at, (takeBack) => takeBack);
    expect(totals.booked).toEqual([]);
    expect(takesBack).toBeUndefined();
  });

  it("changes nothing that is known of others before the claim is on record", async () => {
    const { run, budget, others } = open(5);
    let seen: Spending | undefined;
    const totals = createShared({ ...nothingSpent, llmCalls: 4 }, () => {
      seen = others();
    });
    await claimInDay({ budget, totals, run, scope: new Scope() }, call, at, () => undefined);
    expect(seen).toEqual(nothingSpent);
  });
});
