import type { Store } from "../journal/store.ts";
import { readExchanges } from "../library/conversation.ts";
import { findThread } from "../library/find-thread.ts";
import { readCrewCopy } from "../run-storage/crew-copy.ts";
import { buildConversationState } from "../views/conversation-state.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { explainAbsentConversation } from "./explain-absent-conversation.ts";
import { conversationOverviewLines } from "./show/conversation-overview-lines.ts";
import { countColumns, exitCodes, type Terminal } from "./terminal.ts";

/** `baton show --conversation`: a conversation, who said what in which run and who has it now; as JSON how it stands. */
export async function showConversation(
  id: string,
  { json }: { readonly json?: boolean },
  terminal: Terminal,
  store: Store,
  now = Date.now(),
): Promise<number> {
  const { last } = await findThread(store, id);
  if (last === undefined) throw await explainAbsentConversation(id, store);
  const crew = await readCrewCopy(store, last.started.fingerprint);
  if (crew === undefined)
    throw new BatonError(
      "unknown-crew",
      `there is no copy of crew '${last.started.crew}', which conversation '${id}' is with`,
    );
  const exchanges = await readExchanges(store, id);
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
