import type { Message } from "../vocabulary/messages.ts";
import { type History, toMessages } from "./history.ts";

export interface TrimmedHistory {
  readonly messages: readonly Message[];
  /** How many messages were left out. */
  readonly trimmed: number;
}

/**
 * Shortens a history that outgrew the window: it keeps the first message, adds a note, and keeps the newest messages that fit
 * into the window less `percent`.
 */
export function trimHistory(history: History, window: number, percent: number): TrimmedHistory {
  const first = findFirst(history);
  const budget = window * (1 - percent / 100) - first.tokens;
  const kept: Message[] = [];
  let at = history;
  // The agent's task always stays, however long it is: the newest message, or tool results with the call that asked for them.
  for (let isAsked = true; at.before !== undefined; at = at.before) {
    if (!isAsked && history.tokens - at.before.tokens > budget) break;
    kept.push(at.message);
    isAsked &&= at.message.role === "tool";
  }
  if (at === first) return { messages: toMessages(history), trimmed: 0 };
  // A tool's result means nothing without its call.
  while (kept.length > 1 && kept.at(-1)?.role === "tool") kept.pop();
  const trimmed = history.length - 1 - kept.length;
  return { messages: [first.message, createTrimNote(trimmed), ...kept.reverse()], trimmed };
}

/** The note in place of the messages that were left out. */
export function createTrimNote(count: number): Message {
  return { role: "user", text: `[${count} earlier messages trimmed to fit context window]` };
}

/** Cached outside the histories, since only few become so long, and all others would have to carry the field. */
const beginnings = new WeakMap<History, History>();

/** Walks back only to the point that an earlier walk started from. */
function findFirst(history: History): History {
  let at = beginnings.get(history) ?? history;
  while (at.before !== undefined) at = beginnings.get(at.before) ?? at.before;
  beginnings.set(history, at);
  return at;
}
