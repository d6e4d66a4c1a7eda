import type { BatonEvent, EventData, EventOf } from "../vocabulary/events.ts";
import { nameSpeaker } from "../vocabulary/events.ts";

/** A tool call and how it ended. */
export interface ToolUse {
  readonly called: EventOf<"tool.called">;
  end: EventOf<"tool.completed"> | EventOf<"tool.failed"> | undefined;
}

/** One time that an agent is asked something, until it answers. */
export interface Invocation {
  /** The agent with its crew: `lab/meter`. */
  readonly speaker: string;
  readonly agent: string;
  readonly crew: string | undefined;
  readonly path: string;
  /** Whether it speaks on the line of its crew, where its answer decides what follows. */
  readonly isOnLine: boolean;
  readonly started: EventOf<"agent.started">;
  readonly input: string;
  /** The input of the crew or the call that it works for. */
  readonly original: string;
  /** The handoff that led to it, on a crew's line. */
  readonly cameBy: EventOf<"handoff"> | undefined;
  /** All replies of its model. */
  readonly replies: EventOf<"model.completed">[];
  readonly tools: ToolUse[];
  readonly signals: EventOf<"signal.emitted">[];
  /** The answers of its advisors. */
  advice: EventData["advisors.gathered"]["outcomes"];
  end: EventOf<"agent.completed"> | EventOf<"agent.failed"> | undefined;
  /** The handoff that followed its answer. */
  left: EventOf<"handoff"> | EventOf<"handoff.refused"> | undefined;
}

/** A run in the form that detectors use. */
export interface Story {
  readonly events: readonly BatonEvent[];
  readonly input: string;
  /** All invocations of agents with a model, in the order in which they began. */
  readonly invocations: readonly Invocation[];
  /** Those on each crew's line, by the place of that crew's run. The run itself is at `""`. */
  readonly lines: ReadonlyMap<string, readonly Invocation[]>;
  /** The newest invocation at each place. */
  readonly byPath: ReadonlyMap<string, Invocation>;
  readonly ending: BatonEvent | undefined;
}

/** Reads a run's events once. */
export function buildStory(events: readonly BatonEvent[]): Story {
  const [first] = events;
  const reading = new Reading(first?.type === "run.started" ? first.data.input : "");
  for (const event of events) reading.note(event);
  const { input, invocations, lines, byPath, ending } = reading;
  return { events, input, invocations, lines, byPath, ending };
}

/** The text of an answer; empty if there is none. */
export function getAnswer({ end }: Invocation): string {
  return end?.type === "agent.completed" ? end.data.answer : "";
}

/** Whether one invocation ended before the other began. Members of one group work at once, even if they take turns. */
export function isBefore(earlier: Invocation, later: Invocation): boolean {
  if (findBranch(earlier.path) !== undefined && findBranch(earlier.path) === findBranch(later.path)) return false;
  return (earlier.end?.seq ?? Number.POSITIVE_INFINITY) < (later.started.seq ?? 0);
}

/** The place of the innermost group that an invocation is a member of. */
function findBranch(path: string): string | undefined {
  return /^(.*)\/b\d+$/.exec(path)?.[1];
}

class Reading {
  readonly input: string;
  readonly invocations: Invocation[] = [];
  readonly lines = new Map<string, Invocation[]>();
  readonly byPath = new Map<string, Invocation>();
  readonly #tools = new Map<string, ToolUse>();
  readonly #inputs: Map<string, string>;
  readonly #advice = new Map<string, Invocation["advice"]>();
  /** The handoff to an agent that has not begun yet, by crew and agent. */
  readonly #coming = new Map<string, EventOf<"handoff">>();
  ending: BatonEvent | undefined;

  constructor(input: string) {
    this.input = input;
    this.#inputs = new Map([["", input]]);
  }

  note(event: BatonEvent): void {
    switch (event.type) {
      case "crew.entered":
        this.#inputs.set(event.path, event.data.input);
        return;
      case "advisors.gathered":
        this.#advice.set(event.path, event.data.outcomes);
        return;
      case "agent.started":
        this.#begin(event);
        return;
      case "agent.completed":
      case "agent.failed": {
        const invocation = this.byPath.get(event.path);
        if (invocation !== undefined) invocation.end = event;
        return;
      }
      case "model.completed":
        this.#invocationAt(event)?.replies.push(event);
        return;
      case "function.called":
        this.#leaveOut(event);
        return;
      case "tool.called":
      case "tool.completed":
      case "tool.failed":
        this.#noteTool(event);
        return;
      default:
        this.#noteCourse(event);
    }
  }

  /** Notes handoffs and the state of the run. */
  #noteCourse(event: BatonEvent): void {
    switch (event.type) {
      case "signal.emitted":
        this.byPath.get(event.path)?.signals.push(event);
        return;
      case "handoff":
        this.#coming.set(nameAgent(event.crew, event.data.to), event);
        this.#leave(event);
        return;
      case "handoff.refused":
        this.#leave(event);
        return;
      case "run.paused":
      case "run.resumed":
      case "run.completed":
      case "run.failed":
      case "run.cancelled":
        this.ending = event.type === "run.resumed" ? undefined : event;
        return;
      default:
    }
  }

  #begin(event: EventOf<"agent.started">): void {
    const { path, crew, agent = "" } = event;
    const isOnLine = /(?:^|\/)\d+$/.test(path);
    const isCall = /\/c\d+\/a$/.test(path);
    if (isCall) this.#inputs.set(path.slice(0, -2), event.data.input);
    const name = nameAgent(crew, agent);
    const cameBy = isOnLine ? this.#coming.get(name) : undefined;
    if (isOnLine) this.#coming.delete(name);
    const invocation: Invocation = {
      speaker: nameSpeaker(event),
      agent,
      crew,
      path,
      isOnLine,
      started: event,
      input: event.data.input,
      original: this.#originalAt(path),
      cameBy,
      replies: [],
      tools: [],
      signals: [],
      advice: this.#advice.get(path) ?? [],
      end: undefined,
      left: undefined,
    };
    this.invocations.push(invocation);
    this.byPath.set(path, invocation);
    if (!isOnLine) return;
    const line = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const others = this.lines.get(line);
    if (others === undefined) this.lines.set(line, [invocation]);
    else others.push(invocation);
  }

  /** A function does what its code says, so that nothing is to be found in its words. */
  #leaveOut({ path }: EventOf<"function.called">): void {
    const invocation = this.byPath.get(path.slice(0, path.lastIndexOf("/")));
    if (invocation === undefined) return;
    for (const list of [this.invocations, ...this.lines.values()]) {
      const index = list.lastIndexOf(invocation);
      if (index >= 0) list.splice(index, 1);
    }
  }

  #leave(event: EventOf<"handoff"> | EventOf<"handoff.refused">): void {
    const invocation = this.byPath.get(event.path) ?? this.#invocationAt(event);
    if (invocation !== undefined && invocation.agent === event.data.from) invocation.left = event;
  }

  #noteTool(event: EventOf<"tool.called"> | EventOf<"tool.completed"> | EventOf<"tool.failed">): void {
    if (event.type === "tool.called") {
      // A call that a crash interrupted is journalled again when it is repeated. Both are one use.
      if (this.#tools.has(event.path)) return;
      const use: ToolUse = { called: event, end: undefined };
      this.#tools.set(event.path, use);
      this.#invocationAt(event)?.tools.push(use);
      return;
    }
    const use = this.#tools.get(event.path);
    if (use !== undefined) use.end = event;
  }

  /** The invocation that made a call. The call is two levels below it: turn, then call. */
  #invocationAt({ path }: BatonEvent): Invocation | undefined {
    const turn = path.lastIndexOf("/", path.lastIndexOf("/") - 1);
    return this.byPath.get(path.slice(0, Math.max(0, turn)));
  }

  /** The input of the nearest crew, or of the nearest sub-agent's call, around a place. */
  #originalAt(path: string): string {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = path.slice(0, end);
      const asked = this.#inputs.get(above);
      if (asked !== undefined) return asked;
    }
    return this.input;
  }
}

function nameAgent(crew: string | undefined, agent: string): string {
  return JSON.stringify([crew ?? "", agent]);
}
