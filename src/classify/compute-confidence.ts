/** What is known about a ranking. */
export interface Features {
  /** The score of each agent, best first. The unit is one word that only this agent uses. */
  readonly scores: readonly number[];
  /** The share of the input's words that the first agent uses. */
  readonly coverage: number;
}

/** The constants of the formula for confidence. */
export interface Weights {
  readonly base: number;
  readonly score: number;
  readonly coverage: number;
  readonly sharpness: number;
}

/** `npm run bench -- classification` fits these to the labelled inputs in `test/corpus/classification` and prints them. */
const FITTED: Weights = { base: 2.5, score: 2.25, coverage: 2.66, sharpness: 3.22 };

/** Two agents that fit equally well are a reason to doubt both. */
const DOUBT = 1.5;

/** Words alone never make a choice certain. */
const MOST = 0.99;

/**
 * The probability that the first agent of a ranking is the right one: that the input is for any agent at all, and that it is
 * for the first one. Without a common word, the confidence is 0.
 */
export function computeConfidence({ scores, coverage }: Features, weights = FITTED): number {
  const [best = 0] = scores;
  if (best === 0) return 0;
  const isSomebodys = computeLogistic(weights.base + weights.score * Math.log(best) + weights.coverage * coverage);
  const isFirsts = 1 / scores.reduce((sum, score) => sum + (score / best) ** weights.sharpness, 0);
  return Math.min(MOST, isSomebodys * isFirsts ** DOUBT);
}

function computeLogistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
