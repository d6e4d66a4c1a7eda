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
  /** Who would begin by words alone, where how agents did before decides otherwise. */
  readonly instead_of?: string;
}

/** How often an agent began a crew's run before, and how often that went well. */
export interface PastRuns {
  readonly runs: number;
  readonly successes: number;
}

/** The same, as a run keeps it from its beginning on. */
export interface PastEntry extends PastRuns {
  /** The crew's place in the run, where it is not the run's own. */
  readonly crew?: string;
  readonly agent: string;
}
