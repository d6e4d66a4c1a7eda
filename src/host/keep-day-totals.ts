import type { Crew } from "../crew.ts";
import { dayOf } from "../run/budget.ts";
import { createDayTotals, type DayTotals, difference, keyOfDay, sum } from "../run/day-totals.ts";
import { nothingSpent, type Spending } from "../run/quota-caps.ts";
import type { Store } from "../run/store.ts";

/** A day's spending in this process, and in the store where there is one. */
export interface KeptDayTotals extends DayTotals {
  /** Sees what other processes spent on this day, if a quota of the crew is for days. */
  refresh(crew: Crew, ts: number): Promise<void> | undefined;
  /** Done when the store has all that was spent; undefined where it has. */
  written(): Promise<void> | undefined;
}

const KIND = "spending";

/** Reading never waits. What is spent is written in passing, on top of whatever others wrote in the meantime. */
export function keepDayTotals(store: Store | undefined): KeptDayTotals {
  const totals = createDayTotals();
  if (store === undefined) return { ...totals, refresh: () => undefined, written: () => undefined };
  const unwritten = new Map<string, Spending>();
  let writing: Promise<void> | undefined;
  const see = (key: string, stored: Spending) =>
    totals.add(key, difference(sum(stored, unwritten.get(key) ?? nothingSpent), totals.read(key)));
  const write = async (key: string): Promise<void> => {
    const { value, version } = (await store.get(KIND, key)) ?? { value: nothingSpent, version: 0 };
    const change = unwritten.get(key) ?? nothingSpent;
    // Nobody but us writes such documents.
    const stored = sum(value as Spending, change);
    if (!(await store.put(KIND, key, stored, version))) return;
    const left = difference(unwritten.get(key) ?? nothingSpent, change);
    if (Object.values(left).every((each) => each === 0)) unwritten.delete(key);
    else unwritten.set(key, left);
    see(key, stored);
  };
  const writeAll = async (): Promise<void> => {
    try {
      for (let [key] = unwritten.keys(); key !== undefined; [key] = unwritten.keys()) await write(key);
    } finally {
      // In the same breath as nothing was left: what is added from here on begins another round.
      writing = undefined;
    }
  };
  return {
    read: totals.read,
    add(key, change) {
      totals.add(key, change);
      unwritten.set(key, sum(unwritten.get(key) ?? nothingSpent, change));
      writing ??= Promise.resolve().then(writeAll);
      // A failure is thrown to whoever waits for it to be written.
      writing.catch(() => {});
    },
    refresh(crew, ts) {
      const keys = dayKeysOf(crew);
      if (keys.length === 0) return undefined;
      return (async () => {
        await writing;
        for (const key of keys.map((each) => keyOfDay(each, dayOf(ts)))) {
          const stored = await store.get(KIND, key);
          if (stored !== undefined) see(key, stored.value as Spending);
        }
      })();
    },
    written: () => writing,
  };
}

function dayKeysOf(crew: Crew): string[] {
  const isOfDay = ({ per }: { readonly per: "run" | "day" }) => per === "day";
  const agents = [...crew.agents.values()].filter(({ quotas }) => quotas.some(isOfDay));
  const granted = [...crew.subCrews].filter(([, { quotas }]) => quotas.some(isOfDay));
  return [
    ...(crew.settings.quotas.some(isOfDay) ? [crew.name] : []),
    ...agents.map(({ id }) => `${crew.name}/${id}`),
    ...granted.map(([name]) => `${crew.name}/crew ${name}`),
    ...[...crew.subCrews.values()].flatMap((subCrew) => dayKeysOf(subCrew.crew)),
  ];
}
