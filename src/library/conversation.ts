import type { Store } from "../journal/store.ts";
import type { RunLogs } from "../run-storage/run-log.ts";
import { checkInput, checkInputSize } from "../runtime/check-input.ts";
import type { CrewVersions } from "../runtime/crew-versions.ts";
import type { StartOptions } from "../runtime/environment.ts";
import type { LiveRun, RunHandle, RunStream } from "../runtime/live-run.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import { runCrew } from "../runtime/run-crew.ts";
import { buildConversationState, type ConversationState } from "../views/conversation-state.ts";
import { buildExchange, type Exchange } from "../views/exchange.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { createRunId } from "../vocabulary/ids.ts";
import type { CrewTypes, OptionsWith } from "./crew-types.ts";
import { checkConversationId, threadRuns } from "./find-thread.ts";
import { nextPlace } from "./next-place.ts";

/** Many runs of a crew on one thread. */
export interface Conversation<Types extends CrewTypes = CrewTypes> {
  readonly id: string;
  /**
   * Starts the next run, with the agent that has the conversation. The handle's `result` and `events` reject with a `BatonError`:
   * `conversation-active`, `conversation-interrupted` or `conversation-paused` while another run of it has not ended, `other-crew`, or a
   * `StartErrorCode`.
   */
  start(input: string, ...options: OptionsWith<StartOptions, Types["context"]>): RunHandle<Types["object"]>;
  /** Starts the next run, and resolves with its result. Rejects with the same codes as `start`: `conversation-active` and others. */
  run(input: string, ...options: OptionsWith<StartOptions, Types["context"]>): Promise<RunResult<Types["object"]>>;
  /** Starts the next run, and gives its events, which reject with the same codes as `start`: `conversation-active` and others. */
  stream(input: string, ...options: OptionsWith<StartOptions, Types["context"]>): RunStream<Types["object"]>;
  /** How the conversation stands; undefined before its first run. Rejects with a `BatonError` whose code is a `StoreErrorCode`. */
  state(): Promise<ConversationState | undefined>;
}

/** What the runs of a conversation are stored and made with. */
interface ConversationParts {
  readonly definition: Crew;
  readonly store: Store;
  readonly logs: RunLogs;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
}

export function openConversation(id: string, parts: ConversationParts): Conversation {
  checkConversationId(id);
  const { definition, store, logs, versions, runs } = parts;
  const start = (input: string, options: StartOptions): LiveRun => {
    return runs.open(createRunId(crypto.randomUUID()), options, async (run) => {
      checkInput(input);
      checkInputSize(input, definition);
      const begun = await versions.startOn(input, options);
      const place = await nextPlace(store, id, definition);
      await runCrew(
        run,
        () => logs.begin(run.id),
        async () => {
          await place.take(run.id);
          return { runtime: versions.runtimeOn(options.script), start: { ...begun, session: place.start } };
        },
      );
    });
  };
  return {
    id,
    start: (input, options = {}) => start(input, options),
    run: async (input, options = {}) => start(input, options).result,
    stream: (input, options = {}) => start(input, options).stream(),
    state: async () => buildConversationState(await readExchanges(store, id), definition),
  };
}

/** What the runs of a conversation said, the oldest first. */
export async function readExchanges(store: Pick<Store, "get" | "read">, id: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const { events } of threadRuns(store, id)) exchanges.push(buildExchange(events));
  return exchanges.reverse();
}
