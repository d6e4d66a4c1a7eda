import { type Described, indexAgents } from "../classify/index-agents.ts";
import { rankAgents } from "../classify/rank-agents.ts";
import { type Expectation, type Experience, expectSuccess } from "./expect-success.ts";
import { ASKED, type KindOf, sortIntoKinds } from "./kinds-of-inputs.ts";

/** A possible target of a handoff, and how earlier handoffs to it ended. */
export interface Candidate {
  /** How the target describes itself. A group or a crew has only a description. */
  readonly about: Described;
  /** The outcomes of all handoffs to it. */
  readonly successes: number;
  readonly failures: number;
  /** The newest handoffs. */
  readonly newest: readonly { readonly input: string; readonly isSuccess: boolean | undefined }[];
}

/** A target of a handoff, with how probable a success is and why. */
export interface RankedTarget extends Expectation {
  readonly agent: string;
  readonly successes: number;
  readonly failures: number;
  /** How many of the newest handoffs were on inputs like this one. */
  readonly alike: number;
  /** How well its description fits the input, from 0 to 1. */
  readonly fit: number;
  /** Whether there is little data about the target but it might beat the first one. */
  readonly isWorthTrying: boolean;
}

/** Ranks targets by how likely they are to succeed on an input, best first; without an input, in general. */
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
  // It uses a point between the expected value and the upper bound: a target must be likely enough to be worth a failure.
  const scoreWithHope = ({ expected, high }: Expectation) => expected + BOLDNESS * (high - expected);
  const boldest =
    first && ranked.reduce((best, each) => (scoreWithHope(each) > scoreWithHope(best) ? each : best), first);
  return ranked.map((each) => ({ ...each, isWorthTrying: each === boldest && each !== first }));
}

/** How far from the expected value to the upper bound that point lies. */
const BOLDNESS = 0.4;

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

/** How well descriptions fit, by the words that they share with the input: 1 for the best target, 0 for one that shares none. */
function measureFits(candidates: readonly Candidate[], input: string | undefined): readonly number[] {
  if (input === undefined) return candidates.map(() => 0);
  const { ranked } = rankAgents(indexAgents(candidates.map(({ about }) => about)), input, new Map());
  const most = ranked[0]?.score ?? 0;
  const scores = new Map(ranked.map(({ agent, score }) => [agent, score]));
  return candidates.map(({ about }) => (most === 0 ? 0 : (scores.get(about.id) ?? 0) / most));
}
