/** A stretch of time in which nothing happened, drawn as a short break. */
interface Break {
  readonly from: number;
  readonly to: number;
}

/** Where a moment is drawn: 0 is the left edge, 1 the right one. */
export interface TimeScale {
  readonly breaks: readonly Break[];
  toX(time: number): number;
  toTime(x: number): number;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** A gap this many times as long as all work together is folded, and so is none shorter than this. */
const SHORTEST_FOLD_MS = 2_000;
const FOLD_SHARE = 0.25;
const BREAK_SHARE = 0.04;

/** Builds the scale of a period. With `fold`, long stretches without work take little room. */
export function buildTimeScale(work: readonly Period[], { from, to }: Period, fold: boolean): TimeScale {
  const gaps = fold ? findGaps(work, { from, to }) : [];
  const length = Math.max(1, to - from);
  const idle = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const busy = Math.max(1, length - idle);
  const breaks = gaps.filter((gap) => gap.to - gap.from > Math.max(SHORTEST_FOLD_MS, busy * FOLD_SHARE));
  const folded = breaks.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const breakWidth = (length - folded) * BREAK_SHARE;
  const knots = placeKnots(breaks, { from, to: from + length }, breakWidth);
  return {
    breaks,
    toX: (time) => interpolate(time, knots, "time", "x"),
    toTime: (x) => interpolate(x, knots, "x", "time"),
  };
}

/** Finds the periods in which nobody worked. */
function findGaps(work: readonly Period[], { from, to }: Period): Break[] {
  const gaps: Break[] = [];
  let busyUntil = from;
  for (const period of work.toSorted((a, b) => a.from - b.from)) {
    if (period.from > busyUntil) gaps.push({ from: busyUntil, to: Math.min(period.from, to) });
    busyUntil = Math.max(busyUntil, period.to);
  }
  if (to > busyUntil) gaps.push({ from: busyUntil, to });
  return gaps;
}

interface Knot {
  readonly time: number;
  readonly x: number;
}

function placeKnots(breaks: readonly Break[], { from, to }: Period, breakWidth: number): Knot[] {
  let x = 0;
  let time = from;
  const knots: Knot[] = [{ time, x }];
  for (const gap of breaks) {
    x += gap.from - time;
    knots.push({ time: gap.from, x });
    x += breakWidth;
    time = gap.to;
    knots.push({ time, x });
  }
  x += to - time;
  knots.push({ time: to, x });
  const width = x === 0 ? 1 : x;
  return knots.map((knot) => ({ ...knot, x: knot.x / width }));
}

function interpolate(value: number, knots: readonly Knot[], key: keyof Knot, wanted: keyof Knot): number {
  const after = knots.findIndex((knot) => knot[key] >= value);
  const right = knots[after === -1 ? knots.length - 1 : Math.max(1, after)];
  const left = knots[after === -1 ? knots.length - 2 : Math.max(0, after - 1)];
  if (left === undefined || right === undefined || right[key] === left[key]) return right?.[wanted] ?? 0;
  const share = Math.min(1, Math.max(0, (value - left[key]) / (right[key] - left[key])));
  return left[wanted] + share * (right[wanted] - left[wanted]);
}
