import type { EventData } from "../vocabulary/events.ts";

/** Why a handoff was refused, in words. */
export function explainRefusal({ limit, message }: EventData["handoff.refused"]): string {
  return message ?? `max_handoffs is ${limit}`;
}
