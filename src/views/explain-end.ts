import type { EventData } from "../vocabulary/events.ts";

/** Why a sub-crew was left; undefined if its status says all, as that of a cancelled one does. */
export function explainLeft({
  status,
  stopReason,
  error,
}: Pick<EventData["crew.left"], "status" | "stopReason" | "error">): string | undefined {
  return error?.message ?? (stopReason === status ? undefined : stopReason);
}

/** A failure with its code, unless that is all its message says. */
export function formatFailure(code: string, message: string): string {
  return code === message ? code : `${code}: ${message}`;
}
