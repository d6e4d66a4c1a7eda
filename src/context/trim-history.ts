import type { Message } from "../vocabulary/messages.ts";
import { type History, toMessages } from "./history.ts";

export interface TrimmedHistory {
  readonly messages: readonly Message[];
  /** How many were left out. */
  readonly trimmed: number;
}

/** For a history that outgrows the window: the first message, a note, and the newest down to the window less `percent`. */
export function trimHistory(history: History, window: number, percent: number): TrimmedHistory {
  const first = findFirst(history);
  const budget = window * (1 - percent / 100) - first.tokens;
  const kept: Message[] = [];
  let at = history;
  // What the agent is asked stays, however long it is: the newest message, or results with the call that asked for them.
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

/** What stands in the place of messages that are left out. */
export function createTrimNote(count: number): Message {
  return { role: "user", text: `[${count} earlier messages trimmed to fit context window]` };
}

/** Where long histories begin. Kept apart from them: few grow so long, and all would have to carry it. */
const beginnings = new WeakMap<History, History>();

/** Walks back as far as what came since it was last asked for. */
function findFirst(history: History): History {
  let at = beginnings.get(history) ?? history;
  while (at.before !== undefined) at = beginnings.get(at.before) ?? at.before;
  beginnings.set(history, at);
  return at;
}
