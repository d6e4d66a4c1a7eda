import { type Expectation, expectSuccess } from "./expect-success.ts";
import { likeness, weighWords, wordsOf } from "./likeness.ts";

/** One that the work may be handed to, and how earlier handoffs to it ended. */
export interface Candidate {
  readonly agent: string;
  /** How all handoffs to it ended. */
  readonly successes: number;
  readonly failures: number;
  /** The newest of them. */
  readonly newest: readonly { readonly input: string; readonly isSuccess: boolean | undefined }[];
}

export interface RankedTarget extends Expectation {
  readonly agent: string;
  readonly successes: number;
  readonly failures: number;
  /** How many of them were on inputs like this one; each counts as far as it is alike. */
  readonly alike: number;
  /** How well its description fits the input, from 0 to 1. */
  readonly fit: number;
  /** Whether so little is known of it that it may well be better than the first. */
  readonly isWorthTrying: boolean;
}

/** Inputs that share less are not alike, only written in the same language. */
const ALIKE = 0.15;

/**
 * Who is likely to do best on an input, the most promising first; without an input, in general. `fitOf` says how well what one
 * says of itself fits the input, from 0 to 1.
 */
export function rankTargets(
  candidates: readonly Candidate[],
  input: string | undefined,
  fitOf: (agent: string) => number,
): RankedTarget[] {
  const asked = input === undefined ? undefined : wordsOf(input);
  const inputs = new Map<string, ReadonlySet<string>>();
  for (const { newest } of candidates) for (const { input: past } of newest) inputs.set(past, wordsOf(past));
  const weigh = weighWords([...inputs.values()]);
  const weights = new Map(
    [...inputs].map(([past, words]) => [past, asked === undefined ? 1 : weightOf(likeness(asked, words, weigh))]),
  );
  const fits = candidates.map(({ agent }) => fitOf(agent));
  const usual = fits.reduce((sum, fit) => sum + fit, 0) / Math.max(1, fits.length);
  const ranked = candidates
    .map((candidate, index) => {
      const { agent, successes, failures } = candidate;
      const fit = fits[index] ?? 0;
      const alike = alikeOf(candidate, weights);
      const expectation = expectSuccess({ successes, failures, alike, fit: fit - usual });
      return { agent, successes, failures, alike: alike.successes + alike.failures, fit, ...expectation };
    })
    .sort((a, b) => b.expected - a.expected);
  const [first] = ranked;
  // Not what is barely possible: what is likely enough to be worth a failure.
  const hopeOf = ({ expected, high }: Expectation) => expected + BOLDNESS * (high - expected);
  const boldest = first && ranked.reduce((best, each) => (hopeOf(each) > hopeOf(best) ? each : best), first);
  return ranked.map((each) => ({ ...each, isWorthTrying: each === boldest && each !== first }));
}

/** How far towards the upper bound of a target hope goes. */
const BOLDNESS = 0.5;

function weightOf(alikeness: number): number {
  return alikeness < ALIKE ? 0 : Math.min(1, alikeness * 1.5);
}

function alikeOf({ newest }: Candidate, weights: ReadonlyMap<string, number>): { successes: number; failures: number } {
  const alike = { successes: 0, failures: 0 };
  for (const { input, isSuccess } of newest) {
    if (isSuccess === undefined) continue;
    alike[isSuccess ? "successes" : "failures"] += weights.get(input) ?? 0;
  }
  return alike;
}
