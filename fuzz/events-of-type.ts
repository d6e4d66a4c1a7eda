import type { BatonEvent, EventOf, EventType } from "../src/vocabulary/events.ts";

export function eventsOfType<Type extends EventType>(events: readonly BatonEvent[], type: Type): EventOf<Type>[] {
  // The filter leaves only events of the type.
  return events.filter((event) => event.type === type) as EventOf<Type>[];
}
