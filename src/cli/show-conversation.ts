import type { Store } from "../journal/store.ts";
import { readExchanges } from "../library/conversation.ts";
import { findThread, nameThread } from "../library/find-thread.ts";
import { readCrewCopy } from "../run-storage/crew-copy.ts";
import { buildConversationState } from "../views/conversation-state.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { explainAbsentConversation } from "./explain-absent-conversation.ts";
import { conversationOverviewLines } from "./show/conversation-overview-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

interface ConversationOptions {
  readonly json?: boolean;
  /** Whose conversation it is, if it is one that a server keeps for a user. */
  readonly user?: string;
  readonly crew?: string;
}

/** `baton show --conversation`: a conversation, who said what in which run and who has it now; as JSON how it stands. */
export async function showConversation(
  id: string,
  { json, user, crew: named }: ConversationOptions,
  terminal: Terminal,
  store: Store,
  now = Date.now(),
): Promise<number> {
  const key = user === undefined ? id : await findKey(id, user, named, store);
  const { last } = await findThread(store, key);
  if (last === undefined) throw await explainAbsentConversation(id, store);
  const crew = await readCrewCopy(store, last.started.fingerprint);
  if (crew === undefined)
    throw new BatonError(
      "unknown-crew",
      `there is no copy of crew '${last.started.crew}', which conversation '${id}' is with`,
    );
  const exchanges = await readExchanges(store, key);
  const state = buildConversationState(exchanges, crew);
  if (state === undefined) throw await explainAbsentConversation(id, store);
  const owned = (await store.list({ status: "running" })).filter(({ isOwned }) => isOwned);
  const shown = {
    id,
    crew: last.started.crew,
    state,
    exchanges,
    isOwned: owned.some(({ runId }) => runId === last.runId),
  };
  const lines = json
    ? [JSON.stringify(state, undefined, 2)]
    : conversationOverviewLines(shown, terminal.style, now, countColumns(terminal));
  terminal.print(lines.join("\n"));
  return exitCodes.completed;
}

/** The key of a user's conversation. The same id with another crew is another conversation. */
async function findKey(id: string, user: string, crew: string | undefined, store: Store): Promise<string> {
  const runs = await store.list({ user, conversation: id, ...(crew !== undefined && { crew }) });
  const [first, ...others] = [...new Set(runs.map((run) => run.crew))];
  if (first === undefined) throw new BatonError("unknown-session", `user '${user}' has no conversation '${id}'`);
  if (others.length > 0)
    throw new BatonError(
      "bad-options",
      `user '${user}' has '${id}' with ${[first, ...others].join(" and ")}: say which, with --crew`,
    );
  return nameThread(id, first, user).key;
}
