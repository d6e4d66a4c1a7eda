/** What is known of a path before one more handoff takes it. */
export interface Experience {
  /** How all handoffs on it ended. */
  readonly successes: number;
  readonly failures: number;
  /** The same for those on inputs like this one, each counted as far as it is alike. */
  readonly alike: { readonly successes: number; readonly failures: number };
  /** How well the target's description fits the input, above (to 1) or below (to -1) the others'. */
  readonly fit: number;
}

/** How probable a success is, and between which bounds that lies nine times in ten. */
export interface Expectation {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** What is believed of a path nobody has taken: that it works more often than not, as two handoffs would show. */
const PRIOR = { success: 0.65, handoffs: 2 };
/** How many handoffs on inputs like this one outweigh what all inputs show. */
const GENERAL_WEIGHT = 4;
/** How much a description says, in log odds. */
const FIT_WEIGHT = 2.5;
/** Bounds of nine in ten under a normal curve. */
const DEVIATIONS = 1.645;

/** From the general to the particular: how the path does, shifted by how well the target fits, corrected by inputs like this. */
export function expectSuccess({ successes, failures, alike, fit }: Experience): Expectation {
  const tried = successes + failures;
  const general = (successes + PRIOR.success * PRIOR.handoffs) / (tried + PRIOR.handoffs);
  const shifted = logistic(Math.log(general / (1 - general)) + FIT_WEIGHT * fit);
  const seen = alike.successes + alike.failures;
  const expected = (GENERAL_WEIGHT * shifted + alike.successes) / (GENERAL_WEIGHT + seen);
  const evidence = seen + (GENERAL_WEIGHT * tried) / (GENERAL_WEIGHT + tried);
  const spread = DEVIATIONS * Math.sqrt((expected * (1 - expected)) / (evidence + 1));
  return { expected, low: Math.max(0, expected - spread), high: Math.min(1, expected + spread) };
}

function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** The share of successes with the bounds of Wilson's interval, in which the true share lies 95 times in 100. */
export function successRate(successes: number, failures: number): Expectation | undefined {
  const count = successes + failures;
  if (count === 0) return undefined;
  const z = 1.96;
  const share = successes / count;
  const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const spread = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return { expected: share, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
