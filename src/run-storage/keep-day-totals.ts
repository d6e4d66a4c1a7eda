import type { Store } from "../journal/store.ts";
import { formatDay } from "../run/budget.ts";
import { createDayTotals, type DayTotals, difference, keyOfDay, sum } from "../run/day-totals.ts";
import { nothingSpent, type Spending } from "../run/quota-caps.ts";
import type { Crew } from "../vocabulary/crew.ts";

/** The spending of a day in this process, and in the store if there is one. */
export interface KeptDayTotals extends DayTotals {
  /** Reads what other processes spent on this day, if a quota of the crew counts by day. */
  refresh(crew: Crew, ts: number): Promise<void> | undefined;
  /** Resolves when the store contains all spending; undefined if it already does. */
  written(): Promise<void> | undefined;
}

const KIND = "spending";

/**
 * Reading never waits. Spending is written in the background, on top of what other processes wrote meanwhile. A reservation is
 * written before its call is made.
 */
export function keepDayTotals(store: Store | undefined): KeptDayTotals {
  const totals = createDayTotals();
  if (store === undefined) return { ...totals, refresh: () => undefined, written: () => undefined };
  const unwritten = new Map<string, Spending>();
  let writing: Promise<void> | undefined;
  const see = (key: string, stored: Spending) =>
    totals.add(key, difference(sum(stored, unwritten.get(key) ?? nothingSpent), totals.read(key)));
  const inTurn = takeTurns();
  const load = async (key: string) => {
    const { value, version } = (await store.get(KIND, key)) ?? { value: nothingSpent, version: 0 };
    // Only this code writes these documents.
    return { stored: value as Spending, version };
  };
  const write = async (key: string): Promise<void> => {
    const { stored: before, version } = await load(key);
    const change = unwritten.get(key) ?? nothingSpent;
    const stored = sum(before, change);
    if (!(await store.put(KIND, key, stored, version))) return;
    const left = difference(unwritten.get(key) ?? nothingSpent, change);
    if (Object.values(left).every((each) => each === 0)) unwritten.delete(key);
    else unwritten.set(key, left);
    see(key, stored);
  };
  const writeAll = async (): Promise<void> => {
    try {
      for (let [key] = unwritten.keys(); key !== undefined; [key] = unwritten.keys()) await inTurn(() => write(key));
    } finally {
      // Reset in the same turn of the event loop in which nothing was left, so that later spending starts another write.
      writing = undefined;
    }
  };
  const add = (key: string, change: Spending) => {
    totals.add(key, change);
    unwritten.set(key, sum(unwritten.get(key) ?? nothingSpent, change));
    writing ??= Promise.resolve().then(writeAll);
    // Whoever waits for the write gets the failure.
    writing.catch(() => {});
  };
  const book = async (key: string, change: Spending, isWanted: () => boolean): Promise<boolean> => {
    for (;;) {
      const { stored, version } = await load(key);
      see(key, stored);
      if (!isWanted()) return false;
      const booked = sum(stored, change);
      if (!(await store.put(KIND, key, booked, version))) continue;
      see(key, booked);
      return true;
    }
  };
  return {
    read: totals.read,
    add,
    claim: (keys, change, isWanted) =>
      inTurn(async () => {
        const booked: string[] = [];
        const read = (key: string) => (booked.includes(key) ? difference(totals.read(key), change) : totals.read(key));
        for (const key of keys) {
          if (await book(key, change, () => isWanted(read))) booked.push(key);
          else {
            for (const each of booked) add(each, difference(nothingSpent, change));
            return false;
          }
        }
        return true;
      }),
    refresh(crew, ts) {
      const keys = listDayKeys(crew);
      if (keys.length === 0) return undefined;
      return (async () => {
        await writing;
        for (const key of keys.map((each) => keyOfDay(each, formatDay(ts))))
          await inTurn(async () => see(key, (await load(key)).stored));
      })();
    },
    written: () => writing,
  };
}

/** Runs tasks one after the other, so that what is read from the store and what is known here are of the same moment. */
function takeTurns(): <Result>(go: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (go) => {
    const done = last.then(go);
    last = done.catch(() => {});
    return done;
  };
}

function listDayKeys(crew: Crew): string[] {
  const isOfDay = ({ per }: { readonly per: "run" | "day" }) => per === "day";
  const agents = [...crew.agents.values()].filter(({ quotas }) => quotas.some(isOfDay));
  const granted = [...crew.subCrews].filter(([, { quotas }]) => quotas.some(isOfDay));
  return [
    ...(crew.settings.quotas.some(isOfDay) ? [crew.name] : []),
    ...agents.map(({ id }) => `${crew.name}/${id}`),
    ...granted.map(([name]) => `${crew.name}/crew ${name}`),
    ...[...crew.subCrews.values()].flatMap((subCrew) => listDayKeys(subCrew.crew)),
  ];
}
