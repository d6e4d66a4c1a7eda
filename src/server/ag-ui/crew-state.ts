import type { JsonPatchOperation } from "@ag-ui/core";
import { Tally } from "../../views/figures.ts";
import { PathFold } from "../../views/run-result.ts";
import { type BatonEvent, nameSpeaker } from "../../vocabulary/events.ts";

/** How an agent stands. */
type Standing = "working" | "waiting" | "answered" | "failed";

/** What a page shows of a run besides its words. Pages get it whole once, and then what changes. */
export class CrewState {
  readonly #path = new PathFold();
  readonly #agents = new Map<string, Standing>();
  readonly #figures = new Tally();
  #handoffs = 0;

  /** The whole state, a copy. */
  snapshot(): unknown {
    return {
      path: [...this.#path.names],
      agents: Object.fromEntries(this.#agents),
      cost: { ...this.#figures.cost },
      handoffs: this.#handoffs,
    };
  }

  /** Takes an event, and gives what it changes. */
  take(event: BatonEvent): JsonPatchOperation[] {
    const changes: JsonPatchOperation[] = [];
    const length = this.#path.names.length;
    this.#path.take(event);
    if (this.#path.names.length !== length || event.type === "crew.left")
      changes.push({ op: "replace", path: "/path", value: [...this.#path.names] });
    const standing = standingAfter(event);
    if (standing !== undefined) changes.push(this.#setStanding(nameSpeaker(event), standing));
    if (/^(?:model|function)\.(?:completed|failed)$/.test(event.type)) {
      this.#figures.count(event);
      changes.push({ op: "replace", path: "/cost", value: { ...this.#figures.cost } });
    }
    if (event.type === "handoff" && event.crew === undefined) {
      this.#handoffs++;
      changes.push({ op: "replace", path: "/handoffs", value: this.#handoffs });
    }
    return changes;
  }

  #setStanding(name: string, value: Standing): JsonPatchOperation {
    const op = this.#agents.has(name) ? "replace" : "add";
    this.#agents.set(name, value);
    return { op, path: `/agents/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, value };
  }
}

function standingAfter(event: BatonEvent): Standing | undefined {
  switch (event.type) {
    case "agent.started":
      return "working";
    case "agent.completed":
      return "answered";
    case "agent.failed":
      return "failed";
    case "run.paused":
      return event.agent === undefined ? undefined : "waiting";
    case "run.resumed":
      return event.agent === undefined ? undefined : "working";
    default:
      return undefined;
  }
}
