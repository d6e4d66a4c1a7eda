/** What is known of a ranking. */
export interface Features {
  /** The score of each agent, the best first, in words that it alone uses. */
  readonly scores: readonly number[];
  /** The share of the input's words that are words of the first. */
  readonly coverage: number;
}

/** What makes a confidence out of them. */
export interface Weights {
  readonly base: number;
  readonly score: number;
  readonly coverage: number;
  readonly sharpness: number;
}

/** Fitted to the labelled inputs of `test/corpus/classification` by `npm run bench -- classification`, which prints them. */
const FITTED: Weights = { base: 2.5, score: 2.25, coverage: 2.66, sharpness: 3.22 };

/** Two that fit alike are a reason to doubt both. */
const DOUBT = 1.5;

/** Words alone make nothing certain. */
const MOST = 0.99;

/**
 * How likely it is that the first of a ranking is the right one: that the input is somebody's at all, and that it is the first one's
 * and not another's. Nothing in common is no confidence at all.
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
