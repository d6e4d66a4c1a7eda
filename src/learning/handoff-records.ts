import type { HandoffPath, HandoffRecord } from "../journal/handoff-record.ts";
import { Tally } from "../views/figures.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { measureIdleMs } from "../vocabulary/idle-time.ts";

/** What a person said of a run. */
export type Verdict = "good" | "bad";

/** A crew at work in the run: who had the work in it so far, and who has it now. */
interface CrewAtWork {
  readonly name: string;
  readonly path: string;
  readonly chain: string[];
  readonly stints: Stint[];
}

/** The time that somebody has the work, from the handoff to the next one or to the crew's end. */
interface Stint extends HandoffPath {
  readonly seq: number;
  readonly at: number;
  readonly loop: string | undefined;
  readonly figures: Tally;
  idleMs: number;
  /** Whether the last that was heard of whoever has the work is that it failed. */
  hasFailed: boolean;
  endedAt: number;
}

/** What can be learned of a run that has ended: how each crew began, and every handoff, each with what came of it. */
export function listHandoffRecords(events: readonly BatonEvent[], verdict?: Verdict): HandoffRecord[] {
  const [started] = events;
  if (started?.type !== "run.started") return [];
  const crews = new Map([["", createCrewAtWork(started.data.crew, "")]]);
  const records: HandoffRecord[] = [];
  let before: BatonEvent = started;
  for (const event of events) {
    const idle = measureIdleMs(before, event);
    before = event;
    for (const crew of crews.values()) follow(crew, event, idle);
    if (event.type === "crew.entered")
      crews.set(event.path, createCrewAtWork(nameSubCrew(started.data.crew, event), event.path));
    const end = findEnd(event);
    const ended = end === undefined ? undefined : crews.get(event.path);
    if (end === undefined || ended === undefined) continue;
    crews.delete(event.path);
    const unmatched = event.path === "" ? explainUnmatched(events, verdict) : undefined;
    for (const stint of ended.stints) records.push(buildRecord(stint, isSuccess(stint, end, verdict), unmatched));
  }
  if (crews.has("")) return [];
  // What a fork has in common with another run is that one's.
  const since = started.data.forkedFrom?.seq ?? -1;
  return records.filter(({ seq }) => seq > since).sort((a, b) => a.seq - b.seq);
}

function createCrewAtWork(name: string, path: string): CrewAtWork {
  return { name, path, chain: [], stints: [] };
}

function nameSubCrew(root: string, { crew, data }: EventOf<"crew.entered">): string {
  return [root, ...(crew === undefined ? [] : [crew]), data.crew].join("/");
}

function follow(crew: CrewAtWork, event: BatonEvent, idle: number): void {
  const before = crew.stints.at(-1);
  if (before !== undefined) before.idleMs += idle;
  const own = findOwnPlace(crew, event.path);
  if (own === undefined) return;
  begin(crew, event, own);
  const stint = crew.stints.at(-1);
  if (stint === undefined) return;
  stint.endedAt = event.ts;
  stint.figures.count(event);
  stint.hasFailed = findFailure(event, own) ?? stint.hasFailed;
  if (event.type === "handoff" && isRound(own)) startNextStint(crew, event);
}

/** The place of an event within a crew; undefined where it belongs to none of its. */
function findOwnPlace({ path }: CrewAtWork, place: string): string | undefined {
  if (path === "" || place === path) return path === "" ? place : "";
  return place.startsWith(`${path}/`) ? place.slice(path.length + 1) : undefined;
}

function isRound(own: string): boolean {
  return /^\d+$/.test(own);
}

/** Whoever acts first has the work without a handoff. */
function begin(crew: CrewAtWork, { agent, ts, seq = 0 }: BatonEvent, own: string): void {
  if (crew.stints.length > 0 || agent === undefined || !isRound(own)) return;
  crew.chain.push(agent);
  // The run's own beginning is told by its first event.
  const told = crew.path === "" ? 0 : seq;
  crew.stints.push(createStint({ crew: crew.name, from: undefined, to: agent, via: "entry" }, told, ts, undefined));
}

function startNextStint(crew: CrewAtWork, { data, ts, seq = 0 }: EventOf<"handoff">): void {
  const { from, to, via } = data;
  const loop = describeLoop(crew.chain, to);
  crew.chain.push(to);
  crew.stints.push(createStint({ crew: crew.name, from, to, via }, seq, ts, loop));
}

/** A longer loop is cut after this many agents. */
const AGENTS_SHOWN = 8;

/** The path that leads back to `to`, as `a > b > a`; undefined where `to` did not have the work before. */
function describeLoop(chain: readonly string[], to: string): string | undefined {
  const start = chain.lastIndexOf(to);
  if (start === -1) return undefined;
  const loop = chain.slice(start);
  const hidden = loop.length - AGENTS_SHOWN + 1;
  const shown = hidden <= 1 ? loop : [...loop.slice(0, AGENTS_SHOWN - 1), `${hidden} more`];
  return [...shown, to].join(" > ");
}

function createStint(path: HandoffPath, seq: number, at: number, loop: string | undefined): Stint {
  return { ...path, seq, at, loop, figures: new Tally(), idleMs: 0, hasFailed: false, endedAt: at };
}

/** What an event says of whoever has the work: an agent, a group or a sub-crew. Its last word counts. */
function findFailure(event: BatonEvent, own: string): boolean | undefined {
  switch (event.type) {
    case "agent.failed":
      return isRound(own) && event.data.code !== "cancelled" ? true : undefined;
    case "agent.completed":
      return isRound(own) ? false : undefined;
    case "parallel.joined":
    case "crews.joined":
      return isRound(own) ? !event.data.outcomes.some(({ status }) => status === "completed") : undefined;
    case "crew.left":
      return /^\d+\/k\d+(\.\d+)?$/.test(own) ? event.data.status === "failed" : undefined;
    default:
      return undefined;
  }
}

interface Ending {
  readonly isSuccess: boolean | undefined;
}

/** How a crew ended; without a success or failure where that was nobody's doing. */
function findEnd(event: BatonEvent): Ending | undefined {
  switch (event.type) {
    case "run.completed":
      return { isSuccess: isProperEnd(event.data.stopReason) };
    case "run.failed":
      return { isSuccess: false };
    case "run.cancelled":
      return { isSuccess: undefined };
    case "crew.left": {
      const { status, stopReason } = event.data;
      return { isSuccess: status === "cancelled" ? undefined : status === "completed" && isProperEnd(stopReason) };
    }
    default:
      return undefined;
  }
}

/** A run that a limit ended has an output, and nobody who meant it to be the last word. */
function isProperEnd(stopReason: string | undefined): boolean {
  return ["signal", "terminal", "end_of_list", "answer"].includes(stopReason ?? "");
}

/** What a person says of a run counts for all of it; else how its crew ended, and whether whoever had the work failed. */
function isSuccess({ hasFailed }: Stint, end: Ending, verdict: Verdict | undefined): boolean | undefined {
  if (verdict !== undefined) return verdict === "good";
  return end.isSuccess === true ? !hasFailed : end.isSuccess;
}

/** Why no agent seems to fit the run's input; undefined where one does. */
function explainUnmatched(events: readonly BatonEvent[], verdict: Verdict | undefined): string | undefined {
  if (events.some(({ type, data }) => type === "classification" && data.low_confidence === true))
    return "low_confidence";
  if (verdict === "bad") return "feedback";
  if (events.some((event) => event.type === "run.paused" && event.data.reason === "no_signal")) return "no_signal";
  const last = events.at(-1);
  const stopReason = last?.type === "run.completed" ? last.data.stopReason : undefined;
  // The agents handed the work on until no handoff was left.
  return stopReason === "max_handoffs" || stopReason === "max_rounds" ? stopReason : undefined;
}

function buildRecord(stint: Stint, success: boolean | undefined, unmatched: string | undefined): HandoffRecord {
  const { crew, from, to, via, seq, at, loop, figures, idleMs, endedAt } = stint;
  return {
    ...{ crew, from, to, via, seq, at, loop },
    isSuccess: success,
    costUsd: figures.cost.usd ?? undefined,
    ms: Math.max(0, endedAt - at - idleMs),
    unmatched: via === "entry" ? unmatched : undefined,
  };
}
