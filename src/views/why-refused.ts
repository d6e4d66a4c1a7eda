import type { EventData } from "../events.ts";

/** Why a handoff was refused, in words. */
export function whyRefused({ limit, message }: EventData["handoff.refused"]): string {
  return message ?? `max_handoffs is ${limit}`;
}
