import { computeLogBeta } from "./compute-log-beta.ts";

/** How handoffs ended. */
interface Outcomes {
  readonly successes: number;
  readonly failures: number;
}

/** What is known about a target before its next handoff. */
export interface Experience {
  /** On inputs like this one. */
  readonly alike: Outcomes;
  /** On other kinds of inputs, one entry per kind. */
  readonly others: readonly Outcomes[];
  /** How well the target's description fits the input, compared with the others: from -1 (worse) to 1 (better). */
  readonly fit: number;
}

/** The probability of a success, and the bounds that contain it nine times in ten. */
export interface Expectation {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** The belief about a kind of input without handoffs: any rate is possible, high ones are a little more probable. */
const PRIOR: Outcomes = { successes: 1.02, failures: 0.68 };
/**
 * How much a target's usual rate may tell about one kind of input: as much as so many handoffs on it, and how probable that is.
 * Most probably it tells nothing, so other kinds count only after several of them have turned out alike. Where kinds differ,
 * bounds that assume more would hold too seldom.
 */
const LIKENESS = [
  { handoffs: 0, probability: 0.88 },
  { handoffs: 4, probability: 0.03 },
  { handoffs: 16, probability: 0.03 },
  { handoffs: 64, probability: 0.03 },
];
/** How probable it is that a target does equally well on all kinds, so that every handoff counts. */
const SAME = 0.03;
/** If a description tells anything, the best fit is worth this many successes, and the worst this many failures. */
const DESCRIPTION = 5;
/** How probable it is that a description tells anything. */
const TELLING = 0.3;
/** After this many handoffs on other kinds, a description counts half, and soon not at all: results tell more. */
const HALVED = 15;
/** Possibilities that are this much less probable than the best one, as a logarithm, are left out. */
const NEGLIGIBLE = 25;
/** How often the probability may lie beyond a bound, on either side. */
const TAIL = 0.05;

/** What may be true of a target, and how probable it is, as a logarithm. */
interface Possibility {
  /** The rate on the kind that is asked about: the counts of a Beta distribution. */
  readonly own: Outcomes;
  readonly logProbability: number;
}

/** As many probabilities are weighed. */
const POINTS = 180;

/**
 * Applies Bayes' rule to all that may be true of a target: its usual rate, how far its rates on kinds of inputs lie from that,
 * and whether its description tells anything. Each possibility counts as much as it explains the results.
 */
export function expectSuccess({ alike, others, fit }: Experience): Expectation {
  const elsewhere = others.reduce(add, { successes: 0, failures: 0 });
  const priors = listPriors(fit, elsewhere.successes + elsewhere.failures);
  const usually = listUsualRates().map(({ own, logProbability }) => {
    const other = add(PRIOR, own);
    return { own, logProbability: logProbability + others.reduce((sum, seen) => sum + explain(other, seen), 0) };
  });
  const possibilities = priors.flatMap((prior) => [
    {
      own: add(prior.own, elsewhere),
      logProbability: prior.logProbability + Math.log(SAME) + explain(prior.own, elsewhere),
    },
    ...usually.map(({ own, logProbability }) => ({
      own: add(prior.own, own),
      logProbability: prior.logProbability + logProbability,
    })),
  ]);
  return computeBounds(
    possibilities.map(({ own, logProbability }) => ({
      own: add(own, alike),
      logProbability: logProbability + explain(own, alike),
    })),
  );
}

/** What to believe of this kind of input if the description tells nothing, and if it does. */
function listPriors(fit: number, elsewhere: number): Possibility[] {
  const told = (DESCRIPTION * fit) / (1 + (elsewhere / HALVED) ** 2);
  if (told === 0) return [{ own: PRIOR, logProbability: 0 }];
  const promised = { successes: Math.max(0, told), failures: Math.max(0, -told) };
  return [
    { own: PRIOR, logProbability: Math.log(1 - TELLING) },
    { own: add(PRIOR, promised), logProbability: Math.log(TELLING) },
  ];
}

/** The logarithm of how probable these outcomes are. */
function explain(counts: Outcomes, seen: Outcomes): number {
  return computeLogBeta(add(counts, seen)) - computeLogBeta(counts);
}

function add(one: Outcomes, other: Outcomes): Outcomes {
  return { successes: one.successes + other.successes, failures: one.failures + other.failures };
}

interface Point {
  readonly success: number;
  readonly failure: number;
  readonly logSuccess: number;
  readonly logFailure: number;
}

/** What a target's usual rate may be, and tell. The steps are as wide as the rates of kinds scatter; finer ones change little. */
function listUsualRates(): readonly Possibility[] {
  return LIKENESS.flatMap(({ handoffs, probability }) => {
    const grid = createGrid(1 + Math.ceil(4 * Math.sqrt(handoffs)));
    const logProbability = Math.log(probability / grid.length);
    return grid.map(({ success, failure }) => {
      return { own: { successes: handoffs * success, failures: handoffs * failure }, logProbability };
    });
  });
}

/** Probabilities that are sin² of an angle at equal steps. They are closest near 0 and 1, where handoffs tell most. */
function createGrid(size: number): readonly Point[] {
  return Array.from({ length: size }, (_, index) => createPoint((index + 0.5) / size));
}

function createPoint(share: number): Point {
  const angle = (share * Math.PI) / 2;
  const [success, failure] = [Math.sin(angle) ** 2, Math.cos(angle) ** 2];
  return { success, failure, logSuccess: Math.log(success), logFailure: Math.log(failure) };
}

/** The log density of a Beta distribution over the angle. */
function computeLogDensity({ logSuccess, logFailure }: Point, counts: Outcomes): number {
  return (counts.successes - 0.5) * logSuccess + (counts.failures - 0.5) * logFailure;
}

function computeBounds(possibilities: readonly Possibility[]): Expectation {
  const highest = Math.max(...possibilities.map(({ logProbability }) => logProbability));
  const weighed = possibilities
    .filter(({ logProbability }) => logProbability > highest - NEGLIGIBLE)
    .map(({ own, logProbability }) => ({ own, weight: logProbability - highest - computeLogBeta(own) }));
  const points = createGrid(POINTS);
  const masses = points.map((point) =>
    weighed.reduce((sum, { own, weight }) => sum + Math.exp(weight + computeLogDensity(point, own)), 0),
  );
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const expected = points.reduce((sum, { success }, index) => sum + (success * (masses[index] ?? 0)) / total, 0);
  const low = findQuantile(masses, TAIL * total, Math.floor);
  const high = findQuantile(masses, (1 - TAIL) * total, Math.ceil);
  // The mean of a very skewed curve can lie beyond its own bounds.
  return { expected, low: Math.min(low, expected), high: Math.max(high, expected) };
}

/** Finds the point below which this share of the mass lies. Within the outermost steps, `outwards` decides. */
function findQuantile(masses: readonly number[], wanted: number, outwards: (step: number) => number): number {
  let below = 0;
  for (const [index, mass] of masses.entries()) {
    if (below + mass < wanted) {
      below += mass;
      continue;
    }
    const step = index + (wanted - below) / mass;
    const isOutermost = index === 0 || index === masses.length - 1;
    return createPoint((isOutermost ? outwards(step) : step) / masses.length).success;
  }
  return 1;
}

/** The share of successes with the bounds of Wilson's interval, which contain the true share 95 times in 100. */
export function estimateSuccessRate(successes: number, failures: number): Expectation | undefined {
  const count = successes + failures;
  if (count === 0) return undefined;
  const z = 1.96;
  const share = successes / count;
  const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const spread = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return { expected: share, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
