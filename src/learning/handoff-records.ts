import type { HandoffPath, HandoffRecord } from "../journal/handoff-record.ts";
import { Tally } from "../views/figures.ts";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { hasSucceeded } from "../vocabulary/events.ts";
import { measureIdleMs } from "../vocabulary/idle-time.ts";

/** What a person said about a run. */
export type Verdict = "good" | "bad";

/** A crew at work in the run: the agents that had the work so far, and the one that has it now. */
interface CrewAtWork {
  readonly name: string;
  readonly path: string;
  readonly chain: string[];
  readonly stints: Stint[];
}

/** The time during which one agent has the work: from its handoff to the next one or to the crew's end. */
interface Stint extends HandoffPath {
  readonly seq: number;
  readonly at: number;
  readonly loop: string | undefined;
  readonly figures: Tally;
  idleMs: number;
  /** Whether the newest event about the agent that has the work says that it failed. */
  hasFailed: boolean;
  endedAt: number;
}

/** Lists what can be learned from an ended run: how each crew began, and every handoff with its outcome. */
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
  // The events that a fork shares with its origin count only for the origin.
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

/** The place of an event within a crew; undefined if it does not belong to this crew. */
function findOwnPlace({ path }: CrewAtWork, place: string): string | undefined {
  if (path === "" || place === path) return path === "" ? place : "";
  return place.startsWith(`${path}/`) ? place.slice(path.length + 1) : undefined;
}

function isRound(own: string): boolean {
  return /^\d+$/.test(own);
}

/** The agent that acts first has the work without a handoff. */
function begin(crew: CrewAtWork, { agent, ts, seq = 0 }: BatonEvent, own: string): void {
  if (crew.stints.length > 0 || agent === undefined || !isRound(own)) return;
  crew.chain.push(agent);
  // The record of the run's own beginning has the number of its first event.
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

/** Whether an event says that the agent, group or sub-crew with the work failed. The last such event counts. */
function findFailure(event: BatonEvent, own: string): boolean | undefined {
  switch (event.type) {
    case "agent.failed":
      return isRound(own) && event.data.code !== "cancelled" ? true : undefined;
    case "agent.completed":
      return isRound(own) ? false : undefined;
    case "parallel.joined":
    case "crews.joined":
      return isRound(own) ? !hasSucceeded(event.data.outcomes) : undefined;
    case "crew.left":
      return /^\d+\/k\d+(\.\d+)?$/.test(own) ? event.data.status === "failed" : undefined;
    default:
      return undefined;
  }
}

interface Ending {
  readonly isSuccess: boolean | undefined;
}

/** How a crew ended. A cancellation is neither a success nor a failure. */
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

/** A run that reached a limit has an output, but no agent meant it to be the final one. */
function isProperEnd(stopReason: string | undefined): boolean {
  return ["signal", "terminal", "end_of_list", "answer"].includes(stopReason ?? "");
}

/** A person's verdict counts for the whole run. Without one, a handoff succeeded if its crew did and its agent did not fail. */
function isSuccess({ hasFailed }: Stint, end: Ending, verdict: Verdict | undefined): boolean | undefined {
  if (verdict !== undefined) return verdict === "good";
  return end.isSuccess === true ? !hasFailed : end.isSuccess;
}

/** Why no agent seems to fit the run's input; undefined if one does. */
function explainUnmatched(events: readonly BatonEvent[], verdict: Verdict | undefined): string | undefined {
  if (events.some(({ type, data }) => type === "classification" && data.low_confidence === true))
    return "low_confidence";
  if (verdict === "bad") return "feedback";
  if (events.some((event) => event.type === "run.paused" && event.data.reason === "no_signal")) return "no_signal";
  const last = events.at(-1);
  const stopReason = last?.type === "run.completed" ? last.data.stopReason : undefined;
  // The agents passed the work on until they reached a limit.
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
