import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { measureIdleMs } from "../src/vocabulary/idle-time.ts";
import { eventsOfType } from "./events-of-type.ts";

/** Time never goes back, and nothing takes longer than it may. */
export function checkTimes(
  events: readonly BatonEvent[],
  crew: Crew,
  options: { readonly isTimed: boolean },
): string[] {
  return [
    ...timeGoesOn(events),
    ...runIsInTime(events, crew),
    ...(options.isTimed ? [...groupsAreInTime(events, crew), ...toolsAreInTime(events, crew)] : []),
    ...deadlinesPass(events),
  ];
}

function timeGoesOn(events: readonly BatonEvent[]): string[] {
  const wrong = events.findIndex(({ ts }, index) => ts < (events[index - 1]?.ts ?? 0));
  return wrong === -1 ? [] : [`event ${wrong} is older than the one before it`];
}

/** The time between two moments of a run in which somebody ran it. */
function ownTime(events: readonly BatonEvent[], from: number, to: number): number {
  let total = 0;
  for (let index = from + 1; index <= to; index++) {
    const [before, event] = [events[index - 1], events[index]];
    if (before !== undefined && event !== undefined) total += event.ts - before.ts - measureIdleMs(before, event);
  }
  return total;
}

function runIsInTime(events: readonly BatonEvent[], crew: Crew): string[] {
  const took = ownTime(events, 0, events.length - 1);
  return took <= crew.settings.timeoutMs ? [] : [`the run took ${took} ms, and ${crew.settings.timeoutMs} are allowed`];
}

function groupsAreInTime(events: readonly BatonEvent[], crew: Crew): string[] {
  return eventsOfType(events, "parallel.joined").flatMap((joined) => {
    const start = events.findIndex(({ type, path }) => type === "parallel.started" && path === joined.path);
    const took = ownTime(events, start, events.indexOf(joined));
    const limit = crew.groups.get(joined.data.group)?.timeoutMs ?? crew.settings.parallelTimeoutMs;
    return took <= limit ? [] : [`the group at ${joined.path} took ${took} ms, and ${limit} are allowed`];
  });
}

/** The longest that any tool of these crews may take is its agent's limit, or its own, which is never longer than 50 ms. */
function toolsAreInTime(events: readonly BatonEvent[], crew: Crew): string[] {
  const ended = events.filter(({ type }) => /^(tool|function)\.(completed|failed)$/.test(type));
  return ended.flatMap((end) => {
    const start = events.findIndex(({ type, path }) => /^(tool|function)\.called$/.test(type) && path === end.path);
    const called = events[start];
    if (called === undefined || (called.type === "tool.called" && called.data.tool.startsWith("agent__"))) return [];
    const took = ownTime(events, start, events.indexOf(end));
    const limit = Math.max(50, crew.agents.get(end.agent ?? "")?.limits.toolTimeoutMs ?? 0);
    return took <= limit ? [] : [`the tool at ${end.path} took ${took} ms, and ${limit} are allowed`];
  });
}

/** And when they are due, counted from what they are the deadline of. */
function deadlinesPass(events: readonly BatonEvent[]): string[] {
  const passed = eventsOfType(events, "deadline.passed");
  const isOnce = new Set(passed.map(({ path }) => path)).size === passed.length;
  const early = passed.flatMap((event) => {
    const of = event.path.replace(/\/?deadline$/, "");
    // The time of an advisor begins when all of them are asked.
    const above = of.slice(0, Math.max(0, of.lastIndexOf("/")));
    const own = events.findIndex(({ type, path }) => path === of && /^(run|parallel)\.started$/.test(type));
    const asked = events.findIndex(({ type, path }) => path === above && type === "advisors.started");
    const start = own === -1 ? asked : own;
    const end = events.indexOf(event);
    // They are asked when the summary is made that they are shown.
    const shown = events.findLastIndex(({ path }, index) => index < end && path.startsWith(`${of}/summary`));
    const took = ownTime(events, Math.max(start, shown), end);
    return took === event.data.afterMs ? [] : [`the deadline at ${event.path} passed after ${took} ms`];
  });
  return [...(isOnce ? [] : ["a deadline passed twice"]), ...early];
}
