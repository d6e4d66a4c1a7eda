/** Which agent of a crew begins, and why. */
export interface Classification {
  readonly agent: string;
  /** The agent's field. */
  readonly domain?: string;
  /** How likely it is, from 0 to 1, that the agent found to fit best is the right one. */
  readonly confidence: number;
  /** Other agents of the crew, those that fit better first. */
  readonly alternatives: readonly { readonly agent: string; readonly domain?: string; readonly score: number }[];
  /** The confidence is below `min_confidence`, so that the crew's first agent takes it. */
  readonly low_confidence?: true;
  /** Why that is so, in words. */
  readonly reason?: string;
}
