import type { Store } from "../journal/store.ts";
import { checkConversationId, SESSION } from "../library/find-thread.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { nearestName } from "../vocabulary/nearest-name.ts";

/** What is wrong with the id of a conversation that is not there. */
export async function explainAbsentConversation(id: string, store: Pick<Store, "documents">): Promise<BatonError> {
  checkConversationId(id);
  const known = (await store.documents(SESSION)).map(({ key }) => key);
  const [, user] = known.find((key) => key.endsWith(`/${encodeURIComponent(id)}`))?.split("/") ?? [];
  const nearest = nearestName(id, known);
  const hint =
    user !== undefined
      ? `; user '${decodeURIComponent(user)}' has one: add --user ${decodeURIComponent(user)}`
      : nearest === undefined
        ? "; baton run --conversation begins one"
        : `; did you mean '${nearest}'?`;
  return new BatonError("unknown-session", `there is no conversation '${id}'${hint}`);
}
