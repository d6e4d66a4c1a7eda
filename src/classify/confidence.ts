/** What is known of a ranking. */
export interface Features {
  /** Of the first, in words that it alone uses. */
  readonly score: number;
  /** How far the second is behind the first, as a share. */
  readonly lead: number;
  /** The share of the input's words that are words of the first. */
  readonly coverage: number;
}

/** Fitted to the labelled inputs of `test/corpus/classification` by `npm run bench -- classification`, which prints them. */
const FITTED = { base: -3, score: 1, lead: 3, coverage: 2 };

/** How likely it is that the first of a ranking is the right one; nothing in common is no confidence at all. */
export function confidenceOf({ score, lead, coverage }: Features): number {
  if (score === 0) return 0;
  const sum = FITTED.base + FITTED.score * Math.log1p(score) + FITTED.lead * lead + FITTED.coverage * coverage;
  return 1 / (1 + Math.exp(-sum));
}
