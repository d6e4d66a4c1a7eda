import type { Agent, Crew } from "../../vocabulary/crew.ts";
import type { BatonEvent, EventOf, EventPlace } from "../../vocabulary/events.ts";

/** One crew at work in a run: its definition, and where it stands in the tree of the run. */
export interface CrewLine {
  readonly crew: Crew;
  /** The names of the sub-crews around it and its own, as events give them; empty for the run's own crew. */
  readonly place: string;
  /** Whether an agent composed it. Nothing of such a crew was declared. */
  readonly isComposed: boolean;
}

/** Finds whose line an event belongs to, while a run's events are read in order. */
export class CrewLines {
  readonly #lines = new Map<string, CrewLine>();
  readonly #root: CrewLine;

  constructor(crew: Crew) {
    this.#root = { crew, place: "", isComposed: false };
    this.#lines.set("", this.#root);
  }

  /** Takes note of a crew that begins, and returns it. */
  enter(event: EventOf<"crew.entered">): CrewLine {
    const caller = this.around(findOuterPath(event.path));
    const { crew: name, composed } = event.data;
    const called = composed === undefined ? caller.crew.subCrews.get(name)?.crew : undefined;
    const line: CrewLine =
      called === undefined
        ? { crew: caller.crew, place: caller.place, isComposed: true }
        : { crew: called, place: caller.place === "" ? name : `${caller.place}/${name}`, isComposed: false };
    this.#lines.set(event.path, line);
    return line;
  }

  /** The crew that an event happened in. */
  of({ path, type }: BatonEvent): CrewLine {
    // A crew begins and ends at its own path, which is an event of its caller.
    const isOfCaller = type === "crew.entered" || type === "crew.left";
    return this.around(isOfCaller ? findOuterPath(path) : path);
  }

  /** The crew that began at a path; the run's own if none did. */
  at(path: string): CrewLine {
    return this.#lines.get(path) ?? this.#root;
  }

  /** Whether an event is part of a crew's own line, where signals act, and not inside a group or another agent. */
  isOnLine({ path }: Pick<EventPlace, "path">): boolean {
    const line = this.#lines.get(findOuterPath(path));
    return line !== undefined && !line.isComposed && /^\d+$/.test(path.slice(path.lastIndexOf("/") + 1));
  }

  /** The innermost crew around a path. */
  around(path: string): CrewLine {
    for (let at = path; ; at = findOuterPath(at)) {
      const line = this.#lines.get(at);
      if (line !== undefined) return line;
      if (at === "") return this.#root;
    }
  }

  /** The crew of a place, as failures and quotas name it. Their own crew has no name. */
  named(place = ""): CrewLine | undefined {
    return [...this.#lines.values()].find((line) => line.place === place && !line.isComposed);
  }
}

export function findOuterPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The agent that acts in an event. */
export function findActor({ crew }: CrewLine, { agent = "" }: EventPlace): Agent | undefined {
  return crew.agents.get(agent);
}
