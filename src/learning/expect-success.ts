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

/** The belief about a target without handoffs: it succeeds more often than not, as firmly as two handoffs would show it. */
const PRIOR = { success: 0.65, handoffs: 2 };
/**
 * The prior probability that a target does equally well on all kinds of inputs. It is below one half, because two kinds that
 * agree may be one kind in other words.
 */
const SAME = 0.4;
/** If kinds differ, their rates follow a Beta distribution of this strength around the target's usual rate. */
const SCATTER = 3;
/** How far a description moves the belief about a kind of input, in log odds. */
const FIT_WEIGHT = 2.5;
/** After this many handoffs on other kinds of inputs, the description counts half: results tell more than descriptions. */
const FIT_HALVED = 30;
/** How often the probability may lie beyond a bound, on either side. */
const TAIL = 0.05;

/** The probabilities to weigh; and, coarser, the possible usual rates of a target whose kinds differ. */
const probabilities = createGrid(120);
const usualRates = createGrid(12);

/**
 * Applies Bayes' rule to two worlds, each weighed by how well it explains the results. In one, a target does equally well on
 * all kinds of inputs, and every handoff counts. In the other, handoffs on other kinds only tell the target's usual rate.
 */
export function expectSuccess({ alike, others, fit }: Experience): Expectation {
  const elsewhere = others.reduce(add, { successes: 0, failures: 0 });
  const said = (FIT_WEIGHT * fit) / (1 + (elsewhere.successes + elsewhere.failures) / FIT_HALVED);
  const first = createCounts(shift(PRIOR.success, said), PRIOR.handoffs);
  const oneRate = computeCurve(add(add(first, alike), elsewhere), Math.log(SAME) - computeLogBeta(first));
  const usually = createCounts(PRIOR.success, PRIOR.handoffs);
  const ownRates = usualRates.map((usual) => {
    const other = createCounts(usual.success, SCATTER);
    const explained = others.reduce((sum, seen) => sum + computeLogBeta(add(other, seen)) - computeLogBeta(other), 0);
    const probability =
      computeLogDensity(usual, usually) - computeLogBeta(usually) + Math.log(Math.PI / usualRates.length);
    const own = createCounts(shift(usual.success, said), SCATTER);
    return computeCurve(add(own, alike), Math.log(1 - SAME) + probability + explained - computeLogBeta(own));
  });
  return computeBounds([oneRate, ...ownRates]);
}

/** A Beta distribution around a rate, with the strength of this many handoffs. */
function createCounts(rate: number, handoffs: number): Outcomes {
  return { successes: rate * handoffs + 0.5, failures: (1 - rate) * handoffs + 0.5 };
}

/** Moves a rate by log odds. */
function shift(rate: number, logOdds: number): number {
  return 1 / (1 + ((1 - rate) / rate) * Math.exp(-logOdds));
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

/** Probabilities that are sin² of an angle at equal steps. They are closest near 0 and 1, where handoffs tell most. */
function createGrid(size: number): readonly Point[] {
  return Array.from({ length: size }, (_, index) => createPoint((index + 0.5) / size));
}

function createPoint(share: number): Point {
  const angle = (share * Math.PI) / 2;
  const [success, failure] = [Math.sin(angle) ** 2, Math.cos(angle) ** 2];
  return { success, failure, logSuccess: Math.log(success), logFailure: Math.log(failure) };
}

/** The log density of a Beta distribution over the angle, without the factor that makes its integral 1. */
function computeLogDensity({ logSuccess, logFailure }: Point, { successes, failures }: Outcomes): number {
  return (successes - 0.5) * logSuccess + (failures - 0.5) * logFailure;
}

function computeCurve(counts: Outcomes, weight: number): number[] {
  return probabilities.map((point) => weight + computeLogDensity(point, counts));
}

function computeBounds(curves: readonly (readonly number[])[]): Expectation {
  const highest = Math.max(...curves.flat());
  const masses = probabilities.map((_, index) =>
    curves.reduce((sum, curve) => sum + Math.exp((curve[index] ?? 0) - highest), 0),
  );
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  const expected = probabilities.reduce((sum, { success }, index) => sum + (success * (masses[index] ?? 0)) / total, 0);
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
