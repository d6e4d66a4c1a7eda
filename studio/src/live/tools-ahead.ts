import type { BatonEvent } from "../../../src/vocabulary/events.ts";

/** A tool that the old run called after the fork, and may be called again. */
export interface ToolAhead {
  readonly tool: string;
  readonly times: number;
  /** Whether a person was asked before the call, and would be again. */
  readonly isAsked: boolean;
}

/** Tools that only say who is next or what was meant, and do nothing outside the run. */
const ROUTING = /^(?:transfer_to_|handoff-to$|team__|signal$)/;

/** Which tools a rerun from an event would fire: those that the old run called after it. */
export function listToolsAhead(events: readonly BatonEvent[], at: number): ToolAhead[] {
  const later = events.filter(({ seq = 0 }) => seq > at);
  const asked = new Set(
    later.flatMap((event) => (event.type === "run.paused" && event.data.reason === "approval" ? [event.path] : [])),
  );
  const calls = later.flatMap((event) =>
    event.type === "tool.called" && !ROUTING.test(event.data.tool)
      ? [{ tool: event.data.tool, isAsked: asked.has(event.path) }]
      : [],
  );
  return [...Map.groupBy(calls, ({ tool }) => tool)].map(([tool, same]) => ({
    ...{ tool, times: same.length, isAsked: same.some(({ isAsked }) => isAsked) },
  }));
}
