import type { Store } from "../journal/store.ts";
import type { RunKeeper } from "../run-storage/keep-runs.ts";
import type { CrewVersions } from "../runtime/crew-versions.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import type { RunOptions } from "../runtime/run-crew.ts";
import { type ConversationState, conversationOf } from "../views/conversation-state.ts";
import { type Exchange, exchangeOf } from "../views/exchange.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { createRunId } from "../vocabulary/ids.ts";
import { checkSessionId, threadRuns } from "./find-thread.ts";
import { nextPlace } from "./next-place.ts";
import { startedBy } from "./started-by.ts";

/** Many runs of a crew on one thread. */
export interface Conversation {
  readonly id: string;
  /** The next run, by whoever has the conversation; refused while another run of it has not ended. */
  run(input: string, options?: RunOptions): Promise<RunResult>;
  /** The same run, event by event. */
  stream(input: string, options?: RunOptions): AsyncIterable<BatonEvent>;
  /** How it stands; undefined where nothing was said yet. */
  state(): Promise<ConversationState | undefined>;
}

/** What the runs of a conversation are kept and made with. */
interface Keeping {
  readonly definition: Crew;
  readonly store: Store;
  readonly keeper: RunKeeper;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
}

export function openConversation(id: string, { definition, store, keeper, versions, runs }: Keeping): Conversation {
  checkSessionId(id);
  const begin = async (input: string, options: RunOptions): Promise<RunResult> => {
    const start = await versions.startOn(input);
    const place = await nextPlace(store, id, definition);
    const runId = createRunId(crypto.randomUUID());
    return runs.hold(
      () => keeper.begin(runId),
      async (kept, release) => {
        await place.take(runId);
        return versions.current({ runId, start: { ...start, session: place.start }, kept, release }, options);
      },
    );
  };
  return {
    id,
    ...startedBy(begin),
    state: async () => conversationOf(await exchangesOf(store, id), definition),
  };
}

/** What the runs of a conversation came to, the oldest first. */
export async function exchangesOf(store: Pick<Store, "get" | "read">, id: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const { events } of threadRuns(store, id)) exchanges.push(exchangeOf(events));
  return exchanges.reverse();
}
