import type { BatonEvent, EventData, EventOf } from "../vocabulary/events.ts";
import { speakerOf } from "../vocabulary/events.ts";

/** A call of a tool, and how it ended. */
export interface ToolUse {
  readonly called: EventOf<"tool.called">;
  end: EventOf<"tool.completed"> | EventOf<"tool.failed"> | undefined;
}

/** An agent at work: from what it was asked to its answer. */
export interface Stretch {
  /** The agent with its crew: `lab/meter`. */
  readonly speaker: string;
  readonly agent: string;
  readonly crew: string | undefined;
  readonly path: string;
  /** Whether it speaks on the line of its crew, where what it says decides what follows. */
  readonly isOnLine: boolean;
  readonly started: EventOf<"agent.started">;
  readonly input: string;
  /** What the crew, or the call, that it works for was asked. */
  readonly original: string;
  /** How it came to speak, on a crew's line. */
  readonly cameBy: EventOf<"handoff"> | undefined;
  /** Everything that its model said. */
  readonly replies: EventOf<"model.completed">[];
  readonly tools: ToolUse[];
  readonly signals: EventOf<"signal.emitted">[];
  /** What advisors said to it. */
  advice: EventData["advisors.gathered"]["outcomes"];
  end: EventOf<"agent.completed"> | EventOf<"agent.failed"> | undefined;
  /** How it went on from its answer. */
  left: EventOf<"handoff"> | EventOf<"handoff.refused"> | undefined;
}

/** A run as detectors look at it. */
export interface Story {
  readonly events: readonly BatonEvent[];
  readonly input: string;
  /** In the order in which they began. */
  readonly stretches: readonly Stretch[];
  /** Those on the line of one crew's run, by the place of that run; the run's own is at `""`. */
  readonly lines: ReadonlyMap<string, readonly Stretch[]>;
  /** The newest at each place. */
  readonly byPath: ReadonlyMap<string, Stretch>;
  readonly ending: BatonEvent | undefined;
}

/** Reads a run's events once. */
export function storyOf(events: readonly BatonEvent[]): Story {
  const [first] = events;
  const reading = new Reading(first?.type === "run.started" ? first.data.input : "");
  for (const event of events) reading.note(event);
  const { input, stretches, lines, byPath, ending } = reading;
  return { events, input, stretches, lines, byPath, ending };
}

/** What an answer says; empty where there is none. */
export function answerOf({ end }: Stretch): string {
  return end?.type === "agent.completed" ? end.data.answer : "";
}

/** Whether one had ended when the other began. */
export function isBefore(earlier: Stretch, later: Stretch): boolean {
  return (earlier.end?.seq ?? Number.POSITIVE_INFINITY) < (later.started.seq ?? 0);
}

class Reading {
  readonly input: string;
  readonly stretches: Stretch[] = [];
  readonly lines = new Map<string, Stretch[]>();
  readonly byPath = new Map<string, Stretch>();
  readonly #tools = new Map<string, ToolUse>();
  readonly #inputs: Map<string, string>;
  readonly #advice = new Map<string, Stretch["advice"]>();
  /** The handoff that leads to an agent that has not begun, by crew and agent. */
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
        const stretch = this.byPath.get(event.path);
        if (stretch !== undefined) stretch.end = event;
        return;
      }
      case "model.completed":
        this.#stretchAt(event)?.replies.push(event);
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

  /** Where the run went, and how it stands. */
  #noteCourse(event: BatonEvent): void {
    switch (event.type) {
      case "signal.emitted":
        this.byPath.get(event.path)?.signals.push(event);
        return;
      case "handoff":
        this.#coming.set(nameIn(event.crew, event.data.to), event);
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
    const name = nameIn(crew, agent);
    const cameBy = isOnLine ? this.#coming.get(name) : undefined;
    if (isOnLine) this.#coming.delete(name);
    const stretch: Stretch = {
      speaker: speakerOf(event),
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
    this.stretches.push(stretch);
    this.byPath.set(path, stretch);
    if (!isOnLine) return;
    const line = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const others = this.lines.get(line);
    if (others === undefined) this.lines.set(line, [stretch]);
    else others.push(stretch);
  }

  #leave(event: EventOf<"handoff"> | EventOf<"handoff.refused">): void {
    const stretch = this.byPath.get(event.path) ?? this.#stretchAt(event);
    if (stretch !== undefined && stretch.agent === event.data.from) stretch.left = event;
  }

  #noteTool(event: EventOf<"tool.called"> | EventOf<"tool.completed"> | EventOf<"tool.failed">): void {
    if (event.type === "tool.called") {
      // A call that a crash interrupted is journalled again when it is made again: it is one use.
      if (this.#tools.has(event.path)) return;
      const use: ToolUse = { called: event, end: undefined };
      this.#tools.set(event.path, use);
      this.#stretchAt(event)?.tools.push(use);
      return;
    }
    const use = this.#tools.get(event.path);
    if (use !== undefined) use.end = event;
  }

  /** The stretch of a call, which is two places below it: turn, then call. */
  #stretchAt({ path }: BatonEvent): Stretch | undefined {
    const turn = path.lastIndexOf("/", path.lastIndexOf("/") - 1);
    return this.byPath.get(path.slice(0, Math.max(0, turn)));
  }

  /** What the nearest crew, or sub-agent's call, around a place was asked. */
  #originalAt(path: string): string {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = path.slice(0, end);
      const asked = this.#inputs.get(above);
      if (asked !== undefined) return asked;
    }
    return this.input;
  }
}

function nameIn(crew: string | undefined, agent: string): string {
  return JSON.stringify([crew ?? "", agent]);
}
