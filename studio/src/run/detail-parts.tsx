import type { ReactNode } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";

export interface DetailProps<Event extends BatonEvent = BatonEvent> {
  readonly event: Event;
  readonly events: readonly BatonEvent[];
  readonly onChoose: (seq: number | undefined) => void;
  /** What only a server can tell about an event, such as the request of a model call. */
  readonly more?: ((event: BatonEvent) => ReactNode) | undefined;
}

/** Names and values, those without a value left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(facts).flatMap(([name, value]) =>
        value === undefined || value === "" ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>],
      )}
    </dl>
  );
}
