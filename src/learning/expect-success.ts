import { computeLogBeta } from "./compute-log-beta.ts";

/** How handoffs ended. */
interface Outcomes {
  readonly successes: number;
  readonly failures: number;
}

/** What is known of a target before it is handed one more input. */
export interface Experience {
  /** On inputs like this one. */
  readonly alike: Outcomes;
  /** On other kinds of inputs, each kind by itself. */
  readonly others: readonly Outcomes[];
  /** How well the target's description fits the input, above (to 1) or below (to -1) the others'. */
  readonly fit: number;
}

/** How probable a success is, and the bounds between which that probability lies nine times in ten. */
export interface Expectation {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** Before it is tried, a target is believed to succeed more often than not, as firmly as two handoffs would show it. */
const PRIOR = { success: 0.65, handoffs: 2 };
/**
 * How likely it is, before anything is seen, that a target does equally well on all kinds of inputs. A little less than half: one
 * kind in other words passes for two that agree.
 */
const SAME = 0.4;
/** Where kinds differ, their rates scatter around the target's usual rate as a Beta distribution of this strength does. */
const SCATTER = 3;
/** How far a description moves what is believed of a kind of input, in log odds. */
const FIT_WEIGHT = 2.5;
/** So many handoffs on other kinds of inputs halve that: what a target does tells more than what it says of itself. */
const FIT_HALVED = 30;
/** How often the probability may lie beyond a bound, on either side. */
const TAIL = 0.05;

/** The probabilities that are weighed; and, coarser, the usual rates that a target may have whose kinds differ. */
const probabilities = createGrid(120);
const usualRates = createGrid(12);

/**
 * Bayes' rule over two worlds, each weighed by how well it explains what was seen. In one, a target does equally well on all
 * kinds of inputs, and every handoff counts. In the other, handoffs on other kinds tell only what is usual for the target.
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

/** A Beta distribution around a rate, as so many handoffs would leave it. */
function createCounts(rate: number, handoffs: number): Outcomes {
  return { successes: rate * handoffs + 0.5, failures: (1 - rate) * handoffs + 0.5 };
}

/** A rate with its log odds moved. */
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

/** Probabilities at equal steps of an angle, sin² of which they are: they are closest near 0 and 1, where handoffs tell most. */
function createGrid(size: number): readonly Point[] {
  return Array.from({ length: size }, (_, index) => createPoint((index + 0.5) / size));
}

function createPoint(share: number): Point {
  const angle = (share * Math.PI) / 2;
  const [success, failure] = [Math.sin(angle) ** 2, Math.cos(angle) ** 2];
  return { success, failure, logSuccess: Math.log(success), logFailure: Math.log(failure) };
}

/** Of a Beta distribution with these counts, by the angle, but for the factor that makes its sum 1. */
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
  // Of a very skewed curve the mean lies beyond nearly all of it.
  return { expected, low: Math.min(low, expected), high: Math.max(high, expected) };
}

/** Where so much of the mass lies below; in the outermost steps, where little can be told apart, `outwards`. */
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

/** The share of successes with the bounds of Wilson's interval, in which the true share lies 95 times in 100. */
export function estimateSuccessRate(successes: number, failures: number): Expectation | undefined {
  const count = successes + failures;
  if (count === 0) return undefined;
  const z = 1.96;
  const share = successes / count;
  const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const spread = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return { expected: share, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
