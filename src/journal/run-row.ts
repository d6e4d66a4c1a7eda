import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent, EventType } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import type { EventRecord } from "./event-record.ts";
import type { Lease, StoredRun } from "./store.ts";

/** What every store knows about a run besides its events. Rows are replaced, never changed. */
export interface RunRow {
  readonly runId: RunId;
  readonly crew: string;
  readonly input: string;
  readonly user: string | undefined;
  readonly conversation: string | undefined;
  /** Absent until the first event. */
  readonly status: StoredRun["status"] | undefined;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly events: number;
  readonly epoch: number;
  /** Absent if nobody holds the run. */
  readonly owner: string | undefined;
  readonly leaseMs: number;
  readonly leaseUntil: number;
}

const statusAfter: Partial<Record<EventType, StoredRun["status"]>> = {
  "run.started": "running",
  "run.queued": "queued",
  "run.continued": "running",
  "run.resumed": "running",
  "run.paused": "paused",
  "run.completed": "completed",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
};

/** How much of its input a list of runs shows. */
const SHOWN_INPUT = 200;

/** A run without an owner and without events. */
export function createRow(runId: RunId): RunRow {
  const nobody = { epoch: 0, owner: undefined, leaseMs: 0, leaseUntil: 0 };
  return { runId, ...nothing, startedAt: 0, ...nobody };
}

const nothing = {
  crew: "",
  input: "",
  user: undefined,
  conversation: undefined,
  status: undefined,
  updatedAt: 0,
  events: 0,
} as const;

/** The row of a removed run. It stays, so that earlier leases are stale, and so does its place in the list. */
export function removeRun<Row extends RunRow>(row: Row, now: number): Row {
  if (isOwned(row, now)) throw explainOwned(row, now);
  return { ...row, ...nothing, epoch: row.epoch + 1, owner: undefined, leaseUntil: 0 };
}

export function take<Row extends RunRow>(row: Row, owner: string, leaseMs: number, now: number): Row {
  if (row.owner !== owner && isOwned(row, now)) throw explainOwned(row, now);
  return { ...row, epoch: row.epoch + 1, owner, leaseMs, leaseUntil: now + leaseMs };
}

export function renewLease<Row extends RunRow>(row: Row | undefined, lease: Lease, leaseMs: number, now: number): Row {
  return { ...requireHeld(row, lease), leaseMs, leaseUntil: now + leaseMs };
}

/** Returns undefined if the lease is stale. */
export function releaseLease<Row extends RunRow>(row: Row | undefined, lease: Lease): Row | undefined {
  return row !== undefined && isHolder(row, lease) ? { ...row, owner: undefined, leaseUntil: 0 } : undefined;
}

/** Returns the run after the events, which must follow the existing ones. */
export function append<Row extends RunRow>(row: Row | undefined, lease: Lease, records: readonly EventRecord[]): Row {
  const before = requireHeld(row, lease);
  let { status, updatedAt, events } = before;
  for (const { event } of records) {
    if (event.seq !== events) throw explainOutOfOrder(before, events, event);
    status = statusAfter[event.type] ?? status ?? "running";
    updatedAt = event.ts;
    events++;
  }
  const after = { ...before, status, updatedAt, events };
  return before.events > 0 ? after : { ...after, ...readBeginning(records) };
}

export function toStoredRun(row: RunRow, now: number): StoredRun | undefined {
  const { runId, crew, status, input, user, conversation, startedAt, updatedAt, events } = row;
  if (status === undefined) return undefined;
  const labels = { ...(user !== undefined && { user }), ...(conversation !== undefined && { conversation }) };
  return { runId, crew, status, input, ...labels, startedAt, updatedAt, events, isOwned: isOwned(row, now) };
}

/** Whether only an answer can add to the run. */
export function isAtRest({ status }: Pick<RunRow, "status">): boolean {
  return status !== undefined && status !== "running" && status !== "queued";
}

/** Refuses lengths that are not finite positive times. */
export function checkLease(leaseMs: number): void {
  if (!(leaseMs > 0) || leaseMs === Infinity) throw new RangeError(`a lease cannot last ${leaseMs} ms`);
}

/**
 * A lease that would last longer than twice its length was given before the clock was set back. It counts as over, or it would
 * last for as long as the clock went back. If its owner still lives, the epoch refuses it.
 */
function isOwned({ owner, leaseMs, leaseUntil }: RunRow, now: number): boolean {
  const left = leaseUntil - now;
  return owner !== undefined && left > 0 && left <= 2 * leaseMs;
}

/** An expired lease is valid until somebody else takes the run. */
function isHolder(row: RunRow, lease: Lease): boolean {
  return row.epoch === lease.epoch && row.owner === lease.owner;
}

function requireHeld<Row extends RunRow>(row: Row | undefined, lease: Lease): Row {
  if (row !== undefined && isHolder(row, lease)) return row;
  const holder = row?.owner === undefined ? "nobody holds it" : `'${row.owner}' holds it`;
  const message = `'${lease.owner}' does not hold run '${lease.runId}' any more: ${holder}; take it again and read what was added`;
  throw new BatonError("stale-owner", message);
}

function explainOwned({ runId, owner, leaseUntil }: RunRow, now: number): BatonError {
  const seconds = Math.ceil((leaseUntil - now) / 1000);
  const message = `run '${runId}' is held by '${owner}'; it is free in ${seconds} s unless that owner renews its lease`;
  return new BatonError("run-owned", message);
}

function explainOutOfOrder({ runId }: RunRow, events: number, { seq }: BatonEvent): BatonError {
  return new BatonError(
    "out-of-order",
    `run '${runId}' has ${formatAmount(events, "event")}: event ${seq} cannot follow`,
  );
}

/** What the row takes from the first event. */
function readBeginning([first]: readonly EventRecord[]): Partial<RunRow> {
  if (first === undefined) return {};
  const { event } = first;
  const { crew = "", input } = event.type === "run.started" ? event.data : { crew: event.crew, input: "" };
  const about = { startedAt: event.ts, crew: quoteText(crew), input: quoteText(input) };
  if (event.type !== "run.started") return about;
  const { user, session } = event.data;
  return {
    ...about,
    ...(user !== undefined && { user: quoteText(user) }),
    ...(session !== undefined && { conversation: quoteText(session.id) }),
  };
}

/** The beginning of a text, without characters that some databases cannot store. */
function quoteText(text: string): string {
  return text.slice(0, SHOWN_INPUT).toWellFormed().replaceAll("\0", "\uFFFD");
}
