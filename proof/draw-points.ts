/** How many deaths of each process are tried, and in how many states its successor is given every answer. */
interface Shares {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly states: number;
}

/** Spreads points over the processes of a run; without a number of points, all that the first two can die at are tried. */
export function sharePoints({
  points,
  thirds,
}: {
  readonly points?: number | undefined;
  readonly thirds: number;
}): Shares {
  const all = Number.POSITIVE_INFINITY;
  if (points === undefined) return { first: all, second: all, third: thirds, states: all };
  // In each of the states there are up to three other answers, each a point of its own.
  const states = Math.max(1, Math.round(points / 24));
  const [first, second] = [Math.round(points * 0.4), Math.round(points * 0.3)];
  return { first, second, third: Math.max(1, points - first - second - 4 * states), states };
}

/** Those with the lowest ranks, which are drawn beforehand. */
export function draw<Item extends { readonly rank: number }>(items: readonly Item[], count: number): readonly Item[] {
  return items.toSorted((one, other) => one.rank - other.rank).slice(0, count);
}
