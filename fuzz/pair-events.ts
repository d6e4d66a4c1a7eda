import type { BatonEvent, EventType } from "../src/vocabulary/events.ts";

/** Pairs what opens at a path with what closes it there; gives what is wrong, and what is still open. */
export function pair(
  events: readonly BatonEvent[],
  opens: ReadonlySet<EventType>,
  closes: ReadonlySet<EventType>,
): { readonly problems: string[]; readonly open: readonly BatonEvent[] } {
  const seen = new Map<string, { readonly event: BatonEvent; isOpen: boolean }>();
  const problems: string[] = [];
  // A call that was interrupted by a crash is on record again, once for each time that somebody said that it did not happen.
  const denied = new Set<string>();
  for (const event of events) {
    const at = seen.get(event.path);
    if (isDenial(event)) denied.add(event.path.replace(/\/happened\d+$/, ""));
    if (opens.has(event.type)) {
      if (at !== undefined && !denied.delete(event.path)) problems.push(`${event.type} happens twice at ${event.path}`);
      seen.set(event.path, { event, isOpen: true });
    } else if (closes.has(event.type)) {
      if (at?.isOpen !== true) problems.push(`${event.type} at ${event.path} ends what was not under way`);
      else if (at.event.agent !== event.agent) problems.push(`${event.type} at ${event.path} is of another agent`);
      if (at !== undefined) at.isOpen = false;
    }
  }
  return { problems, open: [...seen.values()].filter(({ isOpen }) => isOpen).map(({ event }) => event) };
}

function isDenial(event: BatonEvent): boolean {
  return event.type === "run.resumed" && event.data.decision === "not_happened";
}

export function isPaused(events: readonly BatonEvent[]): boolean {
  return events.at(-1)?.type === "run.paused";
}
