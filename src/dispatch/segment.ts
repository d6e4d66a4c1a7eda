import type { RunId } from "../vocabulary/ids.ts";
import { DEFAULT_QUEUE } from "../vocabulary/queue-rule.ts";

/** The name under which DBOS knows what a worker does. */
export const SEGMENT = "baton-segment";

/** A stretch of a run from where it is queued to its end or next pause: what a worker takes at once. */
export interface Segment {
  readonly runId: RunId;
  readonly crew: string;
  /** The number of the event that queued it. */
  readonly seq: number;
  readonly queue: string;
  readonly priority: number;
  /** The part of its queue. */
  readonly partition: string;
  /** Who started the run, if that is known. */
  readonly by: string | undefined;
  /** Whether the run continues although its crew has changed since it began. */
  readonly acceptChanges: boolean;
  /** How often a worker gave it back. */
  readonly returned: number;
}

/** What identifies a segment: enqueuing it again changes nothing. */
export function nameSegment({ runId, seq, returned }: Segment): string {
  return returned === 0 ? `${runId}/${seq}` : `${runId}/${seq}.${returned}`;
}

/** How DBOS calls the queues of baton.yaml. */
export function nameQueue(queue: string = DEFAULT_QUEUE): string {
  return `baton:${queue}`;
}
