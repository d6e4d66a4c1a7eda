/** Who works on each item of a group: an agent, or a sub-crew. */
export interface Worker {
  readonly kind: "agent" | "crew";
  readonly name: string;
}

/** The most items that a list may have where the group says nothing. */
export const DEFAULT_MAX_ITEMS = 50;

const CREW = "crew:";

/** Reads the value of `for_each`: `writer`, or `crew:research`. */
export function readWorker(forEach: string): Worker {
  if (!forEach.startsWith(CREW)) return { kind: "agent", name: forEach };
  return { kind: "crew", name: forEach.slice(CREW.length).trim() };
}
