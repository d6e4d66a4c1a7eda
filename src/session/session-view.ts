import { countTokens, estimateTokens, type History, toMessages } from "../context/history.ts";
import { trimHistory } from "../context/trim-history.ts";
import { type Attachment, estimateAttachmentTokens } from "../vocabulary/attachment.ts";
import type { Message } from "../vocabulary/messages.ts";
import type { Unsent } from "./open-request.ts";
import type { Session } from "./session.ts";

/** What a model gets: the messages, put together when it asks, and the files that they refer to. */
interface View {
  readonly messages: () => readonly Message[];
  readonly attachments: readonly Attachment[] | undefined;
}

/** The messages and files as the model gets them; said in the journal where some have to go. */
export function openView(session: Session): View {
  const { conversation, settings, run, place, turns } = session;
  const attachments = findGiven(session, conversation);
  const window = Math.max(1, findWindow(session) - countFileTokens(attachments));
  if (conversation === undefined || conversation.tokens <= window)
    return { messages: () => toMessages(conversation), attachments };
  const { messages, trimmed } = trimHistory(conversation, window, settings.contextTrimPercent);
  if (trimmed > 0) run.emit({ ...place, path: `${place.path}/t${turns}` }, "context.trimmed", { messages: trimmed });
  if (attachments === undefined) return { messages: () => messages, attachments };
  const left = new Set(messages.flatMap((message) => listReferred(session, message)));
  return { messages: () => messages, attachments: attachments.filter((each) => left.has(each)) };
}

/** The files that the agent is given, in the order in which they came; undefined where there are none at all. */
function findGiven(session: Session, conversation: History | undefined): readonly Attachment[] | undefined {
  const { run, agent, history } = session;
  const { attachments: mode = "all" } = agent;
  if (run.attachments.isEmpty || mode === "none") return undefined;
  const found: Attachment[] = [];
  for (let at = conversation; at !== undefined; at = at.before) {
    // What was said before the session began is not new.
    if (mode === "new" && at === history) break;
    found.unshift(...listReferred(session, at.message));
  }
  return found.length === 0 ? undefined : [...new Set(found)];
}

/** An agent's own words only repeat what it was told. */
function listReferred({ run, agent }: Session, message: Message): readonly Attachment[] {
  return message.role === "agent" && message.agent === agent.id ? [] : run.attachments.findIn(message.text);
}

function countFileTokens(attachments: readonly Attachment[] = []): number {
  return attachments.reduce((sum, each) => sum + estimateAttachmentTokens(each), 0);
}

/** How much the agent can read at once, in tokens. */
export function findWindow({ settings, models }: Session): number {
  return settings.maxContextWindow ?? models[0]?.listed?.contextWindow ?? 128_000;
}

/** A third of the request's bytes. */
export function estimateInputTokens(session: Session, { system, messages, tools, json, attachments }: Unsent): number {
  const tokens = session.conversation?.tokens ?? 0;
  const spoken =
    tokens <= findWindow(session) ? tokens : messages().reduce((sum, message) => sum + estimateTokens(message), 0);
  const described = tools.length === 0 && json === undefined ? "" : JSON.stringify([tools, json]);
  return spoken + countTokens(system) + countTokens(described) + countFileTokens(attachments);
}
