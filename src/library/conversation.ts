import type { Store } from "../journal/store.ts";
import type { Clock } from "../run/clock.ts";
import type { RunLogs } from "../run-storage/run-log.ts";
import { bringFiles, type CrewInput, keepFiles, readCrewInput } from "../runtime/bring-files.ts";
import { checkInputSize } from "../runtime/check-input.ts";
import type { CrewVersions } from "../runtime/crew-versions.ts";
import type { HistoryMessage, StartOptions } from "../runtime/environment.ts";
import type { RunHandle, RunStream } from "../runtime/live-run.ts";
import type { OpenRuns } from "../runtime/open-runs.ts";
import { runCrew } from "../runtime/run-crew.ts";
import { buildConversationState, type ConversationState } from "../views/conversation-state.ts";
import { buildExchange, type Exchange } from "../views/exchange.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Crew } from "../vocabulary/crew.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { createRunId } from "../vocabulary/ids.ts";
import type { QueueRule } from "../vocabulary/queue-rule.ts";
import type { ConversationStart, Said } from "../vocabulary/run-start.ts";
import { type BeginOptions, type BegunRun, beginStored, type StartRun } from "./begin-stored.ts";
import type { CrewTypes, OptionsWith } from "./crew-types.ts";
import { checkConversationId, nameThread, threadRuns } from "./find-thread.ts";
import { nextPlace } from "./next-place.ts";
import { readQueue } from "./read-queue.ts";

/** Many runs of a crew on one thread. */
export interface Conversation<Types extends CrewTypes = CrewTypes> {
  readonly id: string;
  /**
   * Starts the next run, with the agent that has the conversation. The handle's `result` and `events` reject with a `BatonError`:
   * `conversation-active`, `conversation-interrupted` or `conversation-paused` while another run of it has not ended, `other-crew`, or a
   * `StartErrorCode`.
   */
  start(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): RunHandle<Types["object"]>;
  /** Starts the next run, and resolves when it is stored. Rejects with the same codes as `start`, or `idempotency-conflict`. */
  begin(input: CrewInput, ...options: OptionsWith<BeginOptions, Types["context"]>): Promise<BegunRun<Types["object"]>>;
  /** Starts the next run, and resolves with its result. Rejects with the same codes as `start`: `conversation-active` and others. */
  run(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): Promise<RunResult<Types["object"]>>;
  /** Starts the next run, and gives its events, which reject with the same codes as `start`: `conversation-active` and others. */
  stream(input: CrewInput, ...options: OptionsWith<StartOptions, Types["context"]>): RunStream<Types["object"]>;
  /** How the conversation stands; undefined before its first run. Rejects with a `BatonError` whose code is a `StoreErrorCode`. */
  state(): Promise<ConversationState | undefined>;
}

/** Whose conversation it is, and who keeps what was said in it. */
export interface ConversationOptions {
  readonly user?: string;
  /** What was said before, oldest first, if the caller keeps the thread. */
  readonly history?: readonly HistoryMessage[];
}

/** What the runs of a conversation are stored and made with. */
interface ConversationParts {
  readonly definition: Crew;
  readonly store: Store;
  readonly logs: RunLogs;
  readonly versions: CrewVersions;
  readonly runs: OpenRuns;
  readonly clock: Clock;
  readonly queues: readonly QueueRule[];
  /** Whose conversation it is; without a user, everybody shares it. */
  readonly user?: string | undefined;
  readonly history?: readonly HistoryMessage[] | undefined;
}

export function openConversation(id: string, parts: ConversationParts): Conversation {
  checkConversationId(id);
  const { definition, store, logs, versions, runs, clock, user, history, queues } = parts;
  const thread = nameThread(id, definition.name, user);
  const start: StartRun = (input, options, createDocuments) => {
    const own = user === undefined ? options : { user, ...options };
    return runs.open(createRunId(crypto.randomUUID()), own, async (run) => {
      const { text, attachments } = readCrewInput(input);
      checkInputSize(text, definition);
      refuseOther(own, user);
      const { history: said, ...begun } = await versions.startOn(
        text,
        history === undefined ? own : { ...own, history },
      );
      const place = await nextPlace(store, thread, definition);
      const queue = readQueue({ ...own, conversation: id }, definition, queues, clock);
      await runCrew(
        run,
        () => logs.begin(run.id, createDocuments?.(run.id)),
        async (log) => {
          const runtime = versions.runtimeOn(own);
          await keepFiles(place.start.attachments ?? [], (sha256) => store.readBlob(sha256), log);
          const files = await bringFiles(attachments, log, runtime);
          await place.take(run.id);
          return {
            runtime,
            start: {
              ...begun,
              ...(files !== undefined && { attachments: files }),
              session: said === undefined ? place.start : keepSaid(place.start, said),
            },
            ...(queue !== undefined && { queue }),
          };
        },
      );
    });
  };
  return {
    id,
    start: (input, options = {}) => start(input, options),
    begin: (input, options = {}) => beginStored(store, start, input, options),
    run: async (input, options = {}) => start(input, options).result,
    stream: (input, options = {}) => start(input, options).stream(),
    state: async () => buildConversationState(await readExchanges(store, thread.key), definition),
  };
}

/** The caller keeps the thread: what the conversation holds of it does not count. */
function keepSaid({ trimmed: _, ...start }: ConversationStart, said: readonly Said[]): ConversationStart {
  return { ...start, said };
}

/** A conversation of a user has runs of that user only. */
function refuseOther({ history, user }: StartOptions, owner: string | undefined): void {
  if (history !== undefined)
    throw new BatonError("bad-option", "a conversation has its own history: leave out 'history', or the conversation");
  if (owner !== undefined && user !== owner)
    throw new BatonError("bad-option", `the conversation is that of user '${owner}'`);
}

/** What the runs of a conversation said, the oldest first. */
export async function readExchanges(store: Pick<Store, "get" | "read">, key: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const { events } of threadRuns(store, key)) exchanges.push(buildExchange(events));
  return exchanges.reverse();
}
