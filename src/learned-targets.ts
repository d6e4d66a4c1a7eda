/** Whom an agent may hand over to, or who may begin, with how that went before; the most promising first. */
export interface LearnedTargets {
  /** The crew's place in the run, where it is not the run's own. */
  readonly crew?: string;
  /** Absent where it is about who begins. */
  readonly from?: string;
  readonly targets: readonly LearnedTarget[];
}

export interface LearnedTarget {
  readonly to: string;
  /** How probable a success is, and between which bounds that lies nine times in ten. */
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  readonly successes: number;
  readonly failures: number;
}

/** A target that was taken in the place of the declared one, for what earlier runs showed. */
export interface LearnedRoute {
  readonly from: string;
  readonly declared: string;
  readonly chosen: string;
  readonly reason: string;
  readonly targets: readonly LearnedTarget[];
}
