/** The logarithm of the Beta function of two counts above 0. */
export function computeLogBeta({
  successes,
  failures,
}: {
  readonly successes: number;
  readonly failures: number;
}): number {
  return computeLogGamma(successes) + computeLogGamma(failures) - computeLogGamma(successes + failures);
}

/** From this value on, Stirling's series is exact to ten digits. */
const LARGE = 8;

function computeLogGamma(value: number): number {
  let product = 1;
  let large = value;
  for (; large < LARGE; large++) product *= large;
  const series = 1 / (12 * large) - 1 / (360 * large ** 3) + 1 / (1260 * large ** 5);
  return (large - 0.5) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}
