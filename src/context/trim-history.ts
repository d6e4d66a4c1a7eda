import type { Message } from "../messages.ts";
import { estimateTokens, type History, toMessages } from "./history.ts";

export interface TrimmedHistory {
  readonly messages: readonly Message[];
  /** How many were left out. */
  readonly trimmed: number;
}

/** For a history that outgrows the window: the first message, a note, and the newest down to the window less `percent`. */
export function trimHistory(history: History, window: number, percent: number): TrimmedHistory {
  const all = toMessages(history);
  const [first] = all;
  const budget = window * (1 - percent / 100) - (first === undefined ? 0 : estimateTokens(first));
  let from = all.length - 1;
  let tokens = 0;
  for (; from > 0; from--) {
    const message = all[from];
    tokens += message === undefined ? 0 : estimateTokens(message);
    // The newest message is what the agent is asked; it stays, however long it is.
    if (tokens > budget && from < all.length - 1) break;
  }
  const kept = all.slice(Math.min(from + 1, all.length - 1));
  // A tool's result means nothing without the call that asked for it.
  while (kept.length > 1 && kept[0]?.role === "tool") kept.shift();
  const trimmed = all.length - 1 - kept.length;
  if (trimmed === 0) return { messages: all, trimmed };
  const note = noteOfTrimmed(trimmed);
  return { messages: first === undefined ? [note, ...kept] : [first, note, ...kept], trimmed };
}

/** What stands in the place of messages that are left out. */
export function noteOfTrimmed(count: number): Message {
  return { role: "user", text: `[${count} earlier messages trimmed to fit context window]` };
}
