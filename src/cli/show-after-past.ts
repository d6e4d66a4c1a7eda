import type { BatonEvent } from "../vocabulary/events.ts";
import type { RunView } from "./run-view.ts";

/** Shows the events of a run that is continued. */
export interface ContinuedView {
  show(event: BatonEvent): void;
  /** Resolves when all events so far are shown. */
  shown(): Promise<void>;
}

/** Gives the stored events before a `seq`. */
export type ReadPast = (seq: number) => Promise<readonly BatonEvent[]>;

/**
 * Lets the view know what happened before the first new event. That is read when the event comes, because another process may have
 * continued the run in the meantime.
 */
export function showAfterPast(view: RunView, readPast: ReadPast | undefined): ContinuedView {
  if (readPast === undefined || view.recall === undefined) return { show: view.show, shown: async () => {} };
  const waiting: BatonEvent[] = [];
  let reading: Promise<void> | undefined;
  let isRead = false;
  const read = async ({ seq = 0 }: BatonEvent) => {
    view.recall?.(await readPast(seq));
    isRead = true;
    for (const event of waiting.splice(0)) view.show(event);
  };
  return {
    show(event) {
      if (isRead) view.show(event);
      else {
        waiting.push(event);
        reading ??= read(event);
        // Whoever waits for it is told of a failure.
        reading.catch(() => {});
      }
    },
    shown: async () => reading,
  };
}
