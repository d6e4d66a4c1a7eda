import type { EventData } from "../vocabulary/events.ts";

export function explainRefusal({ limit, message }: EventData["handoff.refused"]): string {
  return message ?? `max_handoffs is ${limit}`;
}
