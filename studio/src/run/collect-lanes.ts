import { type BatonEvent, nameSpeaker } from "../../../src/vocabulary/events.ts";

/** What somebody did for a while. `work` is a whole session of an agent; the others are parts of one, or of the run. */
export type SpanKind = "work" | "model" | "tool" | "wait" | "pause";

export interface Span {
  readonly kind: SpanKind;
  readonly name: string;
  readonly path: string;
  /** The number of the event that began it. */
  readonly seq: number;
  readonly from: number;
  /** Undefined while it is going on. */
  readonly to: number | undefined;
  readonly isFailed: boolean;
}

/** Everything that one agent did, or one sub-crew's agent. */
export interface Lane {
  readonly name: string;
  readonly spans: readonly Span[];
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** When the whole run waited for a human. */
  readonly pauses: readonly Span[];
  readonly from: number;
  readonly to: number;
}

type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

/** Sorts a run's events into one lane per agent, in the order in which the agents began. */
export function collectLanes(events: readonly BatonEvent[]): Lanes {
  const lanes = new Map<string, OpenSpan[]>();
  const open = new Map<string, OpenSpan>();
  const pauses: OpenSpan[] = [];
  for (const event of events) {
    if (event.type === "run.paused") pauses.push(begin(event, "pause", event.data.agent));
    else if (event.type === "run.resumed") end(pauses.at(-1), event);
    const opening = findOpening(event);
    if (opening !== undefined) {
      const lane = nameSpeaker(event);
      const key = `${opening.kind} ${event.path}`;
      // Advisors and teams that work before an agent speaks are part of its session.
      if (opening.kind === "work" && open.has(key)) continue;
      const spans = lanes.get(lane) ?? [];
      lanes.set(lane, spans);
      const { waitMs = 0 } = opening;
      if (waitMs > 0) spans.push({ ...begin(event, "wait", "waits before it tries again"), to: event.ts + waitMs });
      const span = { ...begin(event, opening.kind, opening.name), from: event.ts + waitMs };
      spans.push(span);
      open.set(key, span);
    }
    const closing = findClosing(event);
    if (closing === undefined) continue;
    const key = `${closing.kind} ${event.path}`;
    end(open.get(key), event, closing.isFailed);
    open.delete(key);
  }
  return {
    lanes: [...lanes].map(([name, spans]) => ({ name, spans })),
    pauses,
    from: events[0]?.ts ?? 0,
    to: events.at(-1)?.ts ?? 0,
  };
}

function begin({ path, seq = 0, ts }: BatonEvent, kind: SpanKind, name: string): OpenSpan {
  return { kind, name, path, seq, from: ts, to: undefined, isFailed: false };
}

function end(span: OpenSpan | undefined, { ts }: BatonEvent, isFailed = false): void {
  if (span === undefined) return;
  span.to = Math.max(ts, span.from);
  span.isFailed = isFailed;
}

function findOpening(event: BatonEvent): { kind: SpanKind; name: string; waitMs?: number } | undefined {
  switch (event.type) {
    case "agent.started":
    case "advisors.started":
    case "team.started":
      return { kind: "work", name: nameSpeaker(event) };
    case "model.called":
      return { kind: "model", name: event.data.model, waitMs: event.data.waitMs ?? 0 };
    case "tool.called":
      return { kind: "tool", name: event.data.tool };
    case "function.called":
      return { kind: "tool", name: "function" };
    default:
      return undefined;
  }
}

function findClosing({ type }: BatonEvent): { kind: SpanKind; isFailed: boolean } | undefined {
  switch (type) {
    case "agent.completed":
    case "agent.failed":
      return { kind: "work", isFailed: type === "agent.failed" };
    case "model.completed":
    case "model.failed":
      return { kind: "model", isFailed: type === "model.failed" };
    case "tool.completed":
    case "tool.failed":
    case "function.completed":
    case "function.failed":
      return { kind: "tool", isFailed: type === "tool.failed" || type === "function.failed" };
    default:
      return undefined;
  }
}
