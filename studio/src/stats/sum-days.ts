import type { DayFigures } from "../api/studio-api.ts";

/** The runs of one day, of all crews or of one. */
export interface DaySum {
  readonly day: string;
  readonly runs: number;
  readonly usd: number;
  readonly failed: number;
  /** The median time of a run; of several crews, the mean of their medians by runs. */
  readonly ms: number;
}

/** Every day from the first one with runs to the last, also those without any. */
export function sumDays(figures: readonly DayFigures[], crew: string | undefined): DaySum[] {
  const own = figures.filter((each) => crew === undefined || each.crew === crew);
  const days = own.map(({ day }) => day).sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return [];
  return listDays(first, last).map((day) => {
    const same = own.filter((each) => each.day === day);
    const runs = sum(same, (each) => each.runs);
    return {
      ...{
        day,
        runs,
        usd: sum(same, ({ cost }) => cost.usd),
        failed: sum(same, ({ statuses }) => statuses["failed"] ?? 0),
      },
      ms: runs === 0 ? 0 : sum(same, (each) => (each.ms?.p50 ?? 0) * each.runs) / runs,
    };
  });
}

const DAY_MS = 86_400_000;

function listDays(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  const count = Math.round((to - from) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => new Date(from + index * DAY_MS).toISOString().slice(0, 10));
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
