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
  const kept: Message[] = [];
  let tokens = 0;
  for (let at = all.length - 1; at > 0; at--) {
    const message = all[at];
    if (message === undefined) continue;
    tokens += estimateTokens(message);
    if (tokens > budget) break;
    kept.unshift(message);
  }
  const trimmed = all.length - 1 - kept.length;
  const note: Message = { role: "user", text: `[${trimmed} earlier messages trimmed to fit context window]` };
  return { messages: first === undefined ? [note, ...kept] : [first, note, ...kept], trimmed };
}
