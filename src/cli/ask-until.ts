import { describeDecision, hasExpired } from "../runtime/pause-deadline.ts";
import type { Paused } from "../vocabulary/pause.ts";
import { formatDate } from "./show/format-date.ts";

/** Longer waits would make Node fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Asks until somebody answers, the pause's deadline has passed or the process is told to end; undefined where nobody answered. */
export async function askUntil(
  paused: Paused,
  ending: readonly AbortSignal[],
  ask: (abort: AbortSignal) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (hasExpired(paused, Date.now())) return undefined;
  const expired = new AbortController();
  const left = paused.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(paused.expiresAt) - Date.now();
  const timer = left > MAX_TIMEOUT_MS ? undefined : setTimeout(() => expired.abort(), left);
  try {
    return await ask(AbortSignal.any([...ending, expired.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** `until 2026-11-18 14:05:07, then it is rejected`: how long a pause waits, and what follows. */
export function describeDeadline({ expiresAt = "", onExpiry }: Paused): string {
  return `until ${formatDate(Date.parse(expiresAt))}, then ${describeDecision(onExpiry)}`;
}

/** Says what the deadline decides in the place of a person. */
export function describeExpiry({ expiresAt = "", onExpiry }: Paused): string {
  return `nobody answered until ${formatDate(Date.parse(expiresAt))}, so ${describeDecision(onExpiry)}`;
}
