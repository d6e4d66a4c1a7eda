/** The queue of crews that name none. */
export const DEFAULT_QUEUE = "default";
/** A queued run is of this priority unless its queue or whoever starts it says otherwise. */
export const USUAL_PRIORITY = 100;

/** A queue of baton.yaml: how its runs are taken by the workers that share a database. */
export interface QueueRule {
  readonly name: string;
  /** How many of its runs are under way at once: in all workers together, or in each part of the queue. */
  readonly concurrency: number | undefined;
  /** How many of its runs each worker has under way at once. */
  readonly perWorker: number | undefined;
  /** At most so many runs begin within the period. */
  readonly rate: { readonly limit: number; readonly periodMs: number } | undefined;
  /** What divides it into parts with limits of their own: `session`, `token` or the name of a variable. */
  readonly partitionBy: string | undefined;
  /** The priority of runs that are started without one. */
  readonly priority: number;
}
