import { type Event, EventType } from "@ag-ui/core";
import type { BatonEvent, EventOf } from "../../vocabulary/events.ts";

/** Handoffs as steps: one lasts until the next handoff of its crew, or until that crew ends. */
export class OpenSteps {
  /** By the crew's place in the run. */
  readonly #open = new Map<string, string>();

  begin({ data, crew, path }: EventOf<"handoff">): Event[] {
    const place = path.replace(/\/?\d+$/, "");
    const ended = this.#end(place);
    const plain = `${crew === undefined ? "" : `${crew}: `}handoff ${data.n}: ${data.from} -> ${data.to}`;
    // Two calls of one crew at once number their handoffs alike.
    const isTaken = [...this.#open.values()].includes(plain);
    const stepName = isTaken ? `${plain} (${place})` : plain;
    this.#open.set(place, stepName);
    return [...ended, { type: EventType.STEP_STARTED, stepName }];
  }

  /** A crew that was called has ended, with all that it called. */
  leave({ path }: BatonEvent): Event[] {
    const places = [...this.#open.keys()].filter((place) => place === path || place.startsWith(`${path}/`));
    return places.flatMap((place) => this.#end(place));
  }

  endAll(): Event[] {
    return [...this.#open.keys()].flatMap((place) => this.#end(place));
  }

  #end(place: string): Event[] {
    const stepName = this.#open.get(place);
    this.#open.delete(place);
    return stepName === undefined ? [] : [{ type: EventType.STEP_FINISHED, stepName }];
  }
}
