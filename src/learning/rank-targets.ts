import { type Described, indexAgents } from "../classify/index-agents.ts";
import { rankAgents } from "../classify/rank-agents.ts";
import { type Expectation, type Experience, expectSuccess } from "./expect-success.ts";
import { ASKED, type KindOf, sortIntoKinds } from "./kinds-of-inputs.ts";

/** One that the work may be handed to, and how earlier handoffs to it ended. */
export interface Candidate {
  /** What it says of itself; a group or a crew has no more than a description. */
  readonly about: Described;
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
  /** How many of the newest were on inputs like this one. */
  readonly alike: number;
  /** How well its description fits the input, from 0 to 1. */
  readonly fit: number;
  /** Whether so little is known of it that it may well be better than the first. */
  readonly isWorthTrying: boolean;
}

/** Who is likely to do best on an input, the most promising first; without an input, in general. */
export function rankTargets(candidates: readonly Candidate[], input: string | undefined): RankedTarget[] {
  const inputs = new Set(candidates.flatMap(({ newest }) => newest.map((each) => each.input)));
  const kindOf: KindOf = input === undefined ? () => ASKED : sortIntoKinds(inputs, input);
  const fits = measureFits(candidates, input);
  const usual = fits.reduce((sum, fit) => sum + fit, 0) / Math.max(1, fits.length);
  const ranked = candidates
    .map((candidate, index) => {
      const { about, successes, failures } = candidate;
      const fit = fits[index] ?? 0;
      const { alike, others } = sortOutcomes(candidate, kindOf);
      const expectation = expectSuccess({ alike, others, fit: fit - usual });
      return { agent: about.id, successes, failures, alike: alike.successes + alike.failures, fit, ...expectation };
    })
    .sort((a, b) => b.expected - a.expected);
  const [first] = ranked;
  // Not what is barely possible: what is likely enough to be worth a failure.
  const scoreWithHope = ({ expected, high }: Expectation) => expected + BOLDNESS * (high - expected);
  const boldest =
    first && ranked.reduce((best, each) => (scoreWithHope(each) > scoreWithHope(best) ? each : best), first);
  return ranked.map((each) => ({ ...each, isWorthTrying: each === boldest && each !== first }));
}

/** How far towards the upper bound of a target hope goes. */
const BOLDNESS = 0.5;

/** How the newest handoffs to a target ended, by the kind of their inputs. */
function sortOutcomes({ newest }: Candidate, kindOf: KindOf): Pick<Experience, "alike" | "others"> {
  const kinds = new Map<string, { successes: number; failures: number }>();
  for (const { input, isSuccess } of newest) {
    if (isSuccess === undefined) continue;
    const kind = kindOf(input);
    const outcomes = kinds.get(kind) ?? { successes: 0, failures: 0 };
    kinds.set(kind, outcomes);
    outcomes[isSuccess ? "successes" : "failures"]++;
  }
  const { [ASKED]: alike = { successes: 0, failures: 0 }, ...others } = Object.fromEntries(kinds);
  return { alike, others: Object.values(others) };
}

/** By the words that an input and what each says of itself share: 1 for whoever fits best, 0 for one that shares none. */
function measureFits(candidates: readonly Candidate[], input: string | undefined): readonly number[] {
  if (input === undefined) return candidates.map(() => 0);
  const { ranked } = rankAgents(indexAgents(candidates.map(({ about }) => about)), input, new Map());
  const most = ranked[0]?.score ?? 0;
  const scores = new Map(ranked.map(({ agent, score }) => [agent, score]));
  return candidates.map(({ about }) => (most === 0 ? 0 : (scores.get(about.id) ?? 0) / most));
}
