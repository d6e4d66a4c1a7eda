import { buildCallTree, type CrewCall } from "../src/flow/crew-calls.ts";
import { addDecimals } from "../src/orchestration/add-decimals.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { BatonEvent, EventOf } from "../src/vocabulary/events.ts";
import { hasSucceeded } from "../src/vocabulary/events.ts";
import { checkAnyRun } from "./check-run.ts";
import { eventsOfType } from "./events-of-type.ts";

/** What must be true of a run of crews within each other. */
export function checkCrews(events: readonly BatonEvent[], crew: Crew): string[] {
  return [
    ...checkAnyRun(events),
    ...limitsAreKept(buildCallTree(events), crew, undefined),
    ...runHandoffsAreLimited(events, crew),
    ...limitsFail(events),
    ...failuresAreRetried(events, crew),
    ...memoryIsCounted(events),
  ];
}

/** Each crew counts its handoffs and answers against its own limits; a composed one against those of its caller's crew. */
function limitsAreKept(call: CrewCall, crew: Crew, path: string | undefined): string[] {
  const { maxHandoffs, maxRounds } = crew.settings;
  const own = call.events.filter((event) => event.crew === path);
  const handoffs = eventsOfType(own, "handoff");
  const depth = call.path === "" ? 0 : call.path.split("/").length;
  const isOnLine = ({ path: at }: BatonEvent) => at.split("/").length === depth + 1 && /(^|\/)\d+$/.test(at);
  const rounds = own.filter((event) => isAnswer(event) && isOnLine(event)).length;
  const name = path ?? "the run";
  return [
    ...(handoffs.every(({ data }, index) => data.n === index + 1)
      ? []
      : [`handoffs of ${name} are not numbered from 1`]),
    ...(handoffs.length <= maxHandoffs
      ? []
      : [`${handoffs.length} handoffs of ${name}, where ${maxHandoffs} are allowed`]),
    ...(rounds <= maxRounds ? [] : [`${rounds} answers of ${name}, where ${maxRounds} are allowed`]),
    ...call.calls.flatMap((each) => {
      const below = each.composed === undefined ? crew.subCrews.get(each.name)?.crew : crew;
      if (below === undefined) return [`${each.name} was called, and is no sub-crew of ${name}`];
      return limitsAreKept(each, below, path === undefined ? each.name : `${path}/${each.name}`);
    }),
  ];
}

/** A group in which nobody succeeded gave no answer. */
function isAnswer(event: BatonEvent): boolean {
  if (event.type === "parallel.joined") return hasSucceeded(event.data.outcomes);
  return event.type === "agent.completed";
}

function runHandoffsAreLimited(events: readonly BatonEvent[], { settings }: Crew): string[] {
  const { maxRunHandoffs: limit } = settings;
  const made = eventsOfType(events, "handoff").length;
  const end = events.at(-1);
  // One that chose whom to pass the work to is told so once.
  const isRefused = eventsOfType(events, "handoff.refused").some(
    ({ data, path }) => data.setting === "max_run_handoffs" && !/\/t\d+\/c\d+$/.test(path),
  );
  const isStopped = end?.type === "run.completed" && end.data.stopReason === "max_handoffs";
  return [
    ...(made <= limit ? [] : [`${made} handoffs in all, where ${limit} are allowed`]),
    ...(isRefused && made < limit ? ["a handoff was refused below the limit of the run"] : []),
    ...(isRefused && end?.type !== "run.paused" && !isStopped
      ? ["the limit of the run was reached, and did not end it"]
      : []),
  ];
}

/** A crew that reached a limit has failed, one that a limit around it cut off was cancelled, and both say which. */
function limitsFail(events: readonly BatonEvent[]): string[] {
  return eventsOfType(events, "crew.left").flatMap(({ path, data: { status, stopReason = "", error } }) => {
    const isLimit = ["max_handoffs", "max_rounds", "timeout", "quota"].includes(stopReason);
    if (isLimit && (status === "completed" || error?.code !== stopReason))
      return [`the crew at ${path} is ${status} at ${stopReason}`];
    return status === "failed" && error === undefined ? [`the crew at ${path} failed without a reason`] : [];
  });
}

/** Only what may pass is tried again, at the wish of the binding, and no more often than that says. */
function failuresAreRetried(events: readonly BatonEvent[], crew: Crew): string[] {
  const most = Math.max(0, ...allBindings(crew).map(({ maxRetries }) => maxRetries));
  return eventsOfType(events, "crew.retrying").flatMap((event) => {
    const failure = lastFailureBefore(event, events)?.data.error;
    if (failure === undefined) return [`the crew at ${event.path} is tried again, and did not fail`];
    if (failure.code === "quota" || failure.isLasting === true)
      return [`${failure.code} at ${event.path} is tried again`];
    return event.data.attempt <= most ? [] : [`the crew at ${event.path} is tried too often`];
  });
}

function lastFailureBefore({ path, seq = 0, data }: EventOf<"crew.retrying">, events: readonly BatonEvent[]) {
  const base = path.replace(/\.\d+$/, "");
  return eventsOfType(events, "crew.left").findLast(
    (left) => (left.seq ?? 0) < seq && left.data.crew === data.crew && left.path.replace(/\.\d+$/, "") === base,
  );
}

function allBindings({ bindings, subCrews }: Crew): { readonly maxRetries: number }[] {
  const own = [...bindings.values()].flat().flatMap(({ move }) => (move.type === "sub_crew" ? [move] : []));
  return [...own, ...[...subCrews.values()].flatMap(({ crew }) => allBindings(crew))];
}

/** Each write of a key has the next version, and its value follows from the one before. */
function memoryIsCounted(events: readonly BatonEvent[]): string[] {
  const known = new Map<string, { readonly version: number; readonly value: unknown }>();
  const called = new Map(eventsOfType(events, "tool.called").map((event) => [event.path, event.data]));
  return eventsOfType(events, "memory.set").flatMap(({ path, data: { key, value, version = 0 } }) => {
    const before = known.get(key);
    known.set(key, { version, value });
    const { tool = "", args } = called.get(path) ?? {};
    const { amount, item } = (args ?? {}) as { readonly amount?: number; readonly item?: unknown };
    const wanted =
      tool === "memory__add"
        ? addDecimals(Number(before?.value ?? 0), amount ?? 0)
        : tool === "memory__append"
          ? [...((before?.value as unknown[]) ?? []), item]
          : value;
    const isNext = version === (before?.version ?? 0) + 1 && JSON.stringify(wanted) === JSON.stringify(value);
    return isNext
      ? []
      : [`'${key}' is ${JSON.stringify(value)} at version ${version} at ${path}, not ${JSON.stringify(wanted)}`];
  });
}
