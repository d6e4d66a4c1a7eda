/** The point near `start` where `loss` is least: one coordinate after the other, in steps that become smaller. */
export function minimize(loss: (point: readonly number[]) => number, start: readonly number[]): number[] {
  let best = [...start];
  let least = loss(best);
  for (let step = 1; step > 0.005; step /= 2) {
    for (let isBetter = true; isBetter; ) {
      isBetter = false;
      for (const index of best.keys()) {
        for (const change of [step, -step]) {
          const point = best.with(index, (best[index] ?? 0) + change);
          const found = loss(point);
          if (found >= least) continue;
          [best, least, isBetter] = [point, found, true];
        }
      }
    }
  }
  return best;
}
