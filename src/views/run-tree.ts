import type { BatonEvent } from "../vocabulary/events.ts";
import { hasSucceeded, nameSpeaker } from "../vocabulary/events.ts";
import { measureIdleMs } from "../vocabulary/idle-time.ts";
import { type Figures, Tally } from "./figures.ts";
import { buildResult, type RunStatus } from "./run-result.ts";

/** A part of a run: how it ended, how long it took, and what it cost together with the parts below it. */
export interface RunNode {
  readonly kind: "run" | "crew" | "group" | "session" | "turn" | "call" | "tool" | "function";
  readonly name: string;
  /** The place in the run, as the events give it. */
  readonly path: string;
  readonly status: RunStatus;
  /** Time since the run began. Interruptions do not count, here and in durations. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Why it failed. */
  readonly problem?: string;
  /** The arguments of a tool call. */
  readonly args?: unknown;
  readonly total: Figures;
  readonly children: readonly RunNode[];
}

interface OpenNode extends Omit<RunNode, "status" | "durationMs" | "problem" | "total" | "children"> {
  readonly parent: OpenNode | undefined;
  readonly children: OpenNode[];
  readonly total: Tally;
  /** The time of the last event that belongs to it. */
  lastMs: number;
  end: { readonly status: RunStatus; readonly problem?: string } | undefined;
}

/** Builds a run as a tree from the places of its events: run, crew, groups, sessions, turns, calls and tools. */
export function buildRunTree(events: readonly BatonEvent[]): RunNode {
  const [first] = events;
  if (first?.type !== "run.started") throw new Error("a run begins with run.started");
  const { status } = buildResult(events);
  const run = open({ kind: "run", name: first.runId, path: "", startMs: 0 }, undefined);
  const nodes = new Map([["", open({ kind: "crew", name: first.data.crew, path: "", startMs: 0 }, run)]]);
  let before: BatonEvent = first;
  let zero = first.ts;
  for (const event of events) {
    zero += measureIdleMs(before, event);
    before = event;
    note(event, event.ts - zero, nodes);
  }
  return close(run, status, run.lastMs);
}

function note(event: BatonEvent, ms: number, nodes: Map<string, OpenNode>): void {
  const { type, path } = event;
  const begin = (node: Pick<OpenNode, "kind" | "name" | "args">, waitMs = 0) =>
    nodes.set(path, open({ ...node, path, startMs: ms + waitMs }, findEnclosing(path, nodes)));
  // Advisors and teams that work before an agent speaks are part of its session.
  const isSession = type === "agent.started" || type === "advisors.started" || type === "team.started";
  if (isSession && !nodes.has(path)) begin({ kind: "session", name: nameSpeaker(event) });
  else if (type === "team.cycle") begin({ kind: "group", name: `cycle ${event.data.cycle}` });
  else if (type === "crew.entered") begin({ kind: "crew", name: event.data.crew });
  else if (type === "parallel.started") begin({ kind: "group", name: event.data.group });
  else if (type === "tool.called" && !nodes.has(path))
    begin({ kind: "tool", name: event.data.tool, args: event.data.args });
  else if (type === "function.called" && !nodes.has(path)) begin({ kind: "function", name: "function" });
  else if (type === "model.called") {
    const turn = path.slice(0, path.lastIndexOf("/"));
    const session = findEnclosing(turn, nodes);
    const name = `turn ${event.data.turn + 1}`;
    if (!nodes.has(turn)) nodes.set(turn, open({ kind: "turn", name, path: turn, startMs: ms }, session));
    begin({ kind: "call", name: event.data.model }, event.data.waitMs);
  }
  const node = nodes.get(path);
  if (type === "agent.started" || type === "agent.told") endCycles(node);
  if (node !== undefined) node.end = readEnd(event) ?? node.end;
  for (let above = node ?? findEnclosing(path, nodes); above !== undefined; above = above.parent) {
    above.lastMs = Math.max(above.startMs, ms);
    above.total.count(event);
  }
}

/** A team's cycle ends when its supervisor speaks. */
function endCycles(supervisor: OpenNode | undefined): void {
  for (const child of supervisor?.children ?? []) if (child.kind === "group") child.end ??= { status: "completed" };
}

function readEnd(event: BatonEvent): OpenNode["end"] {
  switch (event.type) {
    case "agent.completed":
    case "model.completed":
    case "tool.completed":
    case "function.completed":
      return { status: "completed" };
    case "parallel.joined":
      return { status: hasSucceeded(event.data.outcomes) ? "completed" : "failed" };
    case "crew.left": {
      const { status, error } = event.data;
      return { status, ...(error !== undefined && { problem: error.message }) };
    }
    case "agent.failed":
    case "model.failed":
    case "function.failed":
      return { status: event.data.code === "cancelled" ? "cancelled" : "failed", problem: event.data.message };
    case "tool.failed":
      return { status: "failed", problem: event.data.message };
    default:
      return undefined;
  }
}

function open(node: Pick<OpenNode, "kind" | "name" | "path" | "startMs" | "args">, parent: OpenNode | undefined) {
  const opened: OpenNode = { ...node, parent, children: [], total: new Tally(), lastMs: node.startMs, end: undefined };
  parent?.children.push(opened);
  return opened;
}

/** Finds the node at the nearest place above. */
function findEnclosing(path: string, nodes: ReadonlyMap<string, OpenNode>): OpenNode | undefined {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return nodes.get(above) ?? findEnclosing(above, nodes);
}

/**
 * A turn ends with its last call, once everything it called has ended. A node without an end gets the status of the run, and
 * the time of its last event.
 */
function close({ parent: _, children, end, lastMs, ...node }: OpenNode, ofRun: RunStatus, untilMs: number): RunNode {
  const lastCall = children.findLast(({ kind }) => kind === "call")?.end;
  const known = end ?? (children.every((child) => child.end !== undefined) ? lastCall : undefined);
  const problem = node.kind === "turn" ? undefined : known?.problem;
  return {
    ...node,
    status: known?.status ?? ofRun,
    ...(problem !== undefined && { problem }),
    durationMs: (known === undefined ? Math.max(untilMs, node.startMs) : lastMs) - node.startMs,
    children: children.map((child) => close(child, ofRun, untilMs)),
  };
}
