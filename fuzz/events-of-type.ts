import type { BatonEvent, EventType } from "../src/events.ts";

export type EventOfType<Type extends EventType> = Extract<BatonEvent, { type: Type }>;

export function eventsOfType<Type extends EventType>(events: readonly BatonEvent[], type: Type): EventOfType<Type>[] {
  // The filter leaves only events of the type.
  return events.filter((event) => event.type === type) as EventOfType<Type>[];
}
