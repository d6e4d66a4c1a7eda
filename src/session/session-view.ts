import { countTokens, estimateTokens, toMessages } from "../context/history.ts";
import { trimHistory } from "../context/trim-history.ts";
import type { Message } from "../vocabulary/messages.ts";
import type { Unsent } from "./open-request.ts";
import type { Session } from "./session.ts";

/** The messages as the model gets them, put together when it asks; said in the journal where some have to go. */
export function openView(session: Session): () => readonly Message[] {
  const { conversation, settings, run, place, turns } = session;
  const window = findWindow(session);
  if (conversation === undefined || conversation.tokens <= window) return () => toMessages(conversation);
  const { messages, trimmed } = trimHistory(conversation, window, settings.contextTrimPercent);
  if (trimmed > 0) run.emit({ ...place, path: `${place.path}/t${turns}` }, "context.trimmed", { messages: trimmed });
  return () => messages;
}

/** How much the agent can read at once, in tokens. */
export function findWindow({ settings, models }: Session): number {
  return settings.maxContextWindow ?? models[0]?.listed?.contextWindow ?? 128_000;
}

/** A third of the request's bytes. */
export function estimateInputTokens(session: Session, { system, messages, tools, json }: Unsent): number {
  const tokens = session.conversation?.tokens ?? 0;
  const spoken =
    tokens <= findWindow(session) ? tokens : messages().reduce((sum, message) => sum + estimateTokens(message), 0);
  const described = tools.length === 0 && json === undefined ? "" : JSON.stringify([tools, json]);
  return spoken + countTokens(system) + countTokens(described);
}
