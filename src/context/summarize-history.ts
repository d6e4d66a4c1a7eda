import { createMessage, type Message } from "../vocabulary/messages.ts";
import { append, countTokens, type History } from "./history.ts";

/** The largest estimate of tokens that the agents' words may have in a summary. */
const SUMMARY_TOKENS = 2000;

/**
 * How many messages back the summary looks for agents' words. Without a bound, a crew that is called ten thousand times would
 * cost more each time.
 */
const SUMMARY_MESSAGES = 1000;

/** Keeps the original request, and the newest words of each agent within a budget. The agents that spoke last come first. */
export function summarizeHistory(history: History | undefined, request: string | undefined): History | undefined {
  const heard = new Set<string>();
  const newest: Message[] = [];
  let left = SUMMARY_TOKENS;
  const oldest = (history?.length ?? 0) - SUMMARY_MESSAGES;
  for (let at = history; at !== undefined && left > 0 && at.length > oldest; at = at.before) {
    const { message } = at;
    if (message.role !== "agent" || message.text === "" || heard.has(message.agent)) continue;
    heard.add(message.agent);
    const text = keepNewest(message.text, left);
    const isWhole = text === message.text && message.toolCalls.length === 0 && message.providerMetadata === undefined;
    newest.push(isWhole ? message : createMessage(message.agent, text));
    left -= countTokens(text);
  }
  const first = request === undefined ? undefined : append(undefined, { role: "user", text: request });
  return newest.reduceRight<History | undefined>(append, first);
}

/** Keeps the end of a text that fits into the budget. */
function keepNewest(text: string, tokens: number): string {
  if (countTokens(text) <= tokens) return text;
  const kept = text.slice(-tokens * 3);
  return `...${countTokens(kept) <= tokens ? kept : kept.slice(-tokens)}`;
}

/** Renames the agents of a history, so that agents of the same name in another crew are not confused with them. */
export function renameAgents(
  history: History | undefined,
  nameSpeaker: (agent: string) => string,
): History | undefined {
  const messages: Message[] = [];
  let hasNamesakes = false;
  for (let at = history; at !== undefined; at = at.before) {
    const { message } = at;
    const isRenamed = message.role !== "user" && nameSpeaker(message.agent) !== message.agent;
    messages.push(isRenamed ? { ...message, agent: nameSpeaker(message.agent) } : message);
    hasNamesakes ||= isRenamed;
  }
  return hasNamesakes ? messages.reduceRight<History | undefined>(append, undefined) : history;
}
