import { nearestName } from "../definition/nearest-name.ts";
import type { Store } from "../journal/store.ts";
import { checkSessionId, SESSION } from "../library/find-thread.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** What is wrong with the id of a conversation that is not there. */
export async function explainAbsentSession(id: string, store: Pick<Store, "documents">): Promise<BatonError> {
  checkSessionId(id);
  const known = (await store.documents(SESSION)).map(({ key }) => key);
  const nearest = nearestName(id, known);
  const hint = nearest === undefined ? "; baton run --session begins one" : `; did you mean '${nearest}'?`;
  return new BatonError("unknown-session", `there is no conversation '${id}'${hint}`);
}
