import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";
import {
  addSpendings,
  computeChange,
  nothing,
  readSpending,
  type Spent,
  type Worker,
  type WorkStep,
} from "./worker.ts";

/** A part of the run that is shown as a unit: an agent on the crew's line, or a group, with all agents that work inside it. */
export interface Block {
  readonly path: string;
  readonly group: string | undefined;
  readonly since: number;
  readonly endedAt: number | undefined;
  /** By path, in the order in which they began. */
  readonly workers: ReadonlyMap<string, Worker>;
}

/** The current state of a run, for live displays. */
export interface Progress {
  readonly crew: string;
  readonly startedAt: number;
  /** How long the run waited for answers from outside. */
  readonly waitedMs: number;
  /** How long the run was interrupted. */
  readonly brokenOffMs: number;
  /** When the newest event happened. */
  readonly lastAt: number;
  readonly pausedAt: number | undefined;
  /** The number of handoffs in the run's own crew. */
  readonly handoffs: number;
  readonly spent: Spent;
  /** The blocks that are running. */
  readonly blocks: readonly Block[];
  /** The blocks that the newest event finished. */
  readonly finished: readonly Block[];
  /** Whether the last finished block still has to show what follows it. */
  readonly isOpen: boolean;
  /** The signals of that answer, until the next event of another kind arrives. */
  readonly signals: readonly EventOf<"signal.emitted">[];
  readonly lastAnswer: string;
}

export const noProgress: Progress = {
  crew: "",
  startedAt: 0,
  waitedMs: 0,
  brokenOffMs: 0,
  lastAt: 0,
  pausedAt: undefined,
  handoffs: 0,
  spent: nothing,
  blocks: [],
  finished: [],
  isOpen: false,
  signals: [],
  lastAnswer: "",
};

/** Adds one event to the progress. */
export function foldProgress(before: Progress, event: BatonEvent): Progress {
  const progress: Progress = {
    ...before,
    lastAt: event.ts,
    finished: [],
    signals: event.type.startsWith("signal.") ? before.signals : [],
  };
  switch (event.type) {
    case "run.started":
      return { ...progress, crew: event.data.crew, startedAt: event.ts };
    case "run.paused":
      return { ...settle(progress), pausedAt: event.ts, isOpen: false };
    case "run.resumed": {
      const waited = event.ts - (before.pausedAt ?? event.ts);
      return { ...shiftTimes(progress, waited), pausedAt: undefined, waitedMs: before.waitedMs + waited };
    }
    case "run.continued": {
      const dead = Math.max(0, event.ts - before.lastAt);
      return { ...shiftTimes(progress, dead), brokenOffMs: before.brokenOffMs + dead };
    }
    case "run.completed":
    case "run.failed":
    case "run.cancelled":
      return { ...progress, finished: progress.blocks, blocks: [], isOpen: false };
    case "parallel.started":
      return begin(progress, { ...createBlock(event), group: event.data.group });
    case "parallel.joined":
      return finish(progress, event.path, event.data.shown ?? event.data.output, event.ts);
    case "advisors.started":
      return hear(progress, event, "advisors");
    case "team.started":
      return hear(progress, event, "team");
    case "agent.started":
      return enter(progress, event);
    case "agent.completed":
    case "agent.failed":
      return leave(progress, event);
    case "classification":
      return { ...progress, isOpen: false };
    case "crew.left":
      return { ...progress, lastAnswer: event.data.shown ?? event.data.output, isOpen: false };
    case "handoff":
      return { ...progress, handoffs: progress.handoffs + (event.crew === undefined ? 1 : 0), isOpen: false };
    case "model.completed":
      return { ...change(progress, event), spent: addSpendings([progress.spent, readSpending(event)]) };
    case "signal.emitted":
      return findOwner(progress, event.path) === undefined
        ? { ...progress, signals: [...progress.signals, event] }
        : change(progress, event);
    default:
      return change(progress, event);
  }
}

/** How long the run has been running at a moment, without waiting and interruptions. */
export function measureRunMs({ startedAt, waitedMs, brokenOffMs }: Progress, until: number): number {
  return until - startedAt - waitedMs - brokenOffMs;
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

/** The worker that an event belongs to: the innermost one at its place. */
function findOwner({ blocks }: Progress, path: string): Worker | undefined {
  const workers = blocks.flatMap((block) => [...block.workers.values()]).filter((each) => isWithin(path, each.path));
  return workers.sort((a, b) => b.path.length - a.path.length)[0];
}

function createBlock({ path, ts }: BatonEvent): Block {
  return { path, group: undefined, since: ts, endedAt: undefined, workers: new Map() };
}

function begin(progress: Progress, block: Block): Progress {
  return { ...progress, blocks: [...progress.blocks, block], isOpen: false };
}

function finish(progress: Progress, path: string, lastAnswer: string, endedAt: number): Progress {
  const finished = progress.blocks.filter((block) => block.path === path).map((block) => ({ ...block, endedAt }));
  const blocks = progress.blocks.filter((block) => block.path !== path);
  return { ...progress, blocks, finished, isOpen: true, lastAnswer };
}

type Entering = EventOf<"agent.started"> | EventOf<"advisors.started"> | EventOf<"team.started">;

function hear(progress: Progress, event: Entering, hears: Worker["hears"]): Progress {
  const entered = enter(progress, event);
  const worker = findOwner(entered, event.path);
  return worker === undefined ? entered : put(entered, { ...worker, hears });
}

function enter(progress: Progress, event: Entering): Progress {
  const { path, ts } = event;
  const owner = findOwner(progress, path);
  if (owner?.path === path) return put(progress, { ...owner, hears: undefined });
  const isInside = progress.blocks.some((block) => isWithin(path, block.path));
  const open = isInside ? progress : begin(progress, createBlock(event));
  const worker: Worker = {
    path,
    name: nameSpeaker(event),
    since: ts,
    endedAt: undefined,
    model: undefined,
    attempt: 0,
    steps: [],
    text: "",
    signals: [],
    failure: undefined,
    spent: nothing,
  };
  const isCalled = owner?.steps.some((step) => step.type === "tool" && isWithin(path, step.path));
  const called =
    owner === undefined || isCalled ? open : put(open, { ...owner, steps: [...owner.steps, { type: "agent", path }] });
  return put(called, worker);
}

function leave(progress: Progress, event: EventOf<"agent.completed"> | EventOf<"agent.failed">): Progress {
  const changed = change(progress, event);
  const answer = event.type === "agent.completed" ? (event.data.shown ?? event.data.answer) : "";
  const isWhole = progress.blocks.some(({ path, group }) => path === event.path && group === undefined);
  return isWhole ? finish(changed, event.path, answer, event.ts) : changed;
}

function put(progress: Progress, worker: Worker): Progress {
  const blocks = progress.blocks.map((block) =>
    isWithin(worker.path, block.path) ? { ...block, workers: new Map(block.workers).set(worker.path, worker) } : block,
  );
  return { ...progress, blocks };
}

/** Passes the event to the worker that it belongs to. */
function change(progress: Progress, event: BatonEvent): Progress {
  const worker = findOwner(progress, event.path);
  return worker === undefined ? progress : put(progress, { ...worker, ...computeChange(worker, event) });
}

/** A pause finishes the blocks as they are. After the pause, blocks contain only the work that was left. */
function settle(progress: Progress): Progress {
  const isLeft = (step: WorkStep) => step.type === "tool" && step.endedAt === undefined;
  const blocks = progress.blocks.map((block) => {
    const active = [...block.workers.values()].filter(({ endedAt }) => endedAt === undefined);
    const left = active.map((worker): Worker => ({ ...worker, text: "", steps: worker.steps.filter(isLeft) }));
    return { ...block, workers: new Map(left.map((worker) => [worker.path, worker])) };
  });
  return { ...progress, finished: progress.blocks, blocks };
}

/** The time of an interruption does not count for the agents that were working. */
function shiftTimes(progress: Progress, ms: number): Progress {
  const shift = <T extends { readonly since: number }>(thing: T): T => ({ ...thing, since: thing.since + ms });
  const blocks = progress.blocks.map((block) => {
    const workers = [...block.workers].map(([path, worker]): [string, Worker] => {
      const steps = worker.steps.map((step) => (step.type === "tool" ? shift(step) : step));
      return [path, { ...shift(worker), steps }];
    });
    return { ...shift(block), workers: new Map(workers) };
  });
  return { ...progress, blocks };
}
