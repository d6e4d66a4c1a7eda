import type { PlanJson } from "../flow/plan/plan.ts";
import type { Statistics } from "../learning/describe-statistics.ts";
import type { Verdict } from "../learning/handoff-records.ts";
import type { RankedTarget } from "../learning/rank-targets.ts";
import type { CrewLearning, SuggestionQuery } from "../library/crew-learning.ts";
import type { Feedback } from "../run-storage/feedback.ts";
import type { StartOptions } from "../runtime/environment.ts";
import type { SentRequest } from "../runtime/find-request.ts";
import type { Fork } from "../runtime/fork-run.ts";
import type { Replay } from "../runtime/replay-run.ts";
import type { ConversationState } from "../views/conversation-state.ts";
import type { RunResult } from "../views/run-result.ts";
import type { Attachment } from "../vocabulary/attachment.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { ResumeAnswer } from "../vocabulary/pause.ts";
import {
  type AcceptedRun,
  type ClientRun,
  type ClientStream,
  openRun,
  openStream,
  readResult,
  requestCancel,
} from "./client-run.ts";
import type { Connection } from "./connection.ts";
import { RemoteError } from "./remote-error.ts";
import { type ClientFiles, type ClientInput, splitInput, writeBody } from "./write-body.ts";

/** How a run is started on a server. */
export interface ClientStartOptions
  extends Pick<StartOptions, "user" | "history" | "variables" | "queue" | "signal" | "traceparent"> {
  /** Starts at most one run for the key within a day. Without it, the client makes a key of its own for every start. */
  readonly idempotencyKey?: string | undefined;
}

/** How a run is continued on a server. */
export interface ClientRunOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
}

/** How a run is resumed on a server. */
export interface ClientResumeOptions extends ClientRunOptions {
  /** Continues with the crew as it is now. */
  readonly acceptChanges?: boolean | undefined;
}

/** Starts runs of a crew, or of a conversation with it. */
export interface ClientStarter<Object = unknown> {
  /** Starts a run. The handle's `id`, `result` and `events` reject with a `RemoteError`. */
  start(input: ClientInput, options?: ClientStartOptions): ClientRun<Object>;
  /** Starts a run, and resolves when it is stored. */
  begin(
    input: ClientInput,
    options?: ClientStartOptions,
  ): Promise<{ readonly id: RunId; readonly handle: ClientRun<Object> }>;
  /** Starts a run, and resolves with its result when it ends or pauses. */
  run(input: ClientInput, options?: ClientStartOptions): Promise<RunResult<Object>>;
  /** Starts a run, and gives its events with every delta. A reader that stops early cancels the run. */
  stream(input: ClientInput, options?: ClientStartOptions): ClientStream<Object>;
}

/** Many runs of a crew on one thread. */
export interface ClientConversation<Object = unknown> extends ClientStarter<Object> {
  readonly id: string;
  /** How the conversation stands; undefined before its first run. */
  state(): Promise<ConversationState | undefined>;
}

/** A crew on a server, with the methods of `CrewHandle`. */
export interface ClientCrew<Object = unknown> extends ClientStarter<Object> {
  readonly name: string;
  /** A conversation by its id, new or known; of the token's own user, unless the token may act for others. */
  conversation(id: string, options?: { readonly user?: string }): ClientConversation<Object>;
  /** The same as `conversation`. */
  session(id: string, options?: { readonly user?: string }): ClientConversation<Object>;
  /** Answers a paused run. The events of the handle begin with the answer. */
  resume(runId: string, answer: ClientAnswer, options?: ClientResumeOptions): ClientRun<Object>;
  /** Applies the decision of a pause whose deadline has passed. */
  expire(runId: string, options?: ClientResumeOptions): ClientRun<Object>;
  /** Continues a run that was interrupted, or begins a queued one, before the server does so by itself. */
  recover(runId: string, options?: ClientResumeOptions): ClientRun<Object>;
  /** Cancels a run. Rejects with `run-ended` if it has ended. */
  cancel(runId: string): Promise<RunResult<Object>>;
  /** Starts a run that shares the events of another one up to `fork.at`. */
  fork(runId: string, fork: RemoteFork, options?: ClientRunOptions): ClientRun<Object>;
  /** The files of a run. */
  listAttachments(runId: string): Promise<readonly Attachment[]>;
  /** The content of a file of a run. */
  readAttachment(runId: string, sha256: string): Promise<Uint8Array>;
  feedback(runId: string, verdict: Verdict, words?: string): Promise<Feedback>;
  replay(runId: string, options?: { readonly current?: boolean }): Promise<Replay>;
  /** The request of a model call as it was sent. Needs the scope `admin`. */
  readRequest(runId: string, seq: number): Promise<SentRequest>;
  plan(input?: string): Promise<PlanJson>;
  stats(query?: Parameters<CrewLearning["stats"]>[0]): Promise<Statistics>;
  suggest(question?: SuggestionQuery): Promise<readonly RankedTarget[]>;
  /** A run that was started earlier, or by others: its events from the first one, and its result. */
  attach(runId: string): ClientRun<Object>;
}

/** An answer with files that come with its `input`. */
export interface ClientAnswer extends ResumeAnswer {
  readonly attachments?: ClientFiles;
}

/** A fork whose models are named. */
export interface RemoteFork extends Omit<Fork, "models"> {
  readonly models?: readonly string[] | undefined;
}

const startOptions: Readonly<Record<keyof ClientStartOptions, true>> = {
  user: true,
  history: true,
  variables: true,
  queue: true,
  signal: true,
  traceparent: true,
  idempotencyKey: true,
};

export function openClientCrew<Object>(connection: Connection, name: string): ClientCrew<Object> {
  const crewPath = `v1/crews/${encodeURIComponent(name)}`;
  const runPath = (runId: string) => `v1/runs/${encodeURIComponent(runId)}`;
  const conversation = (id: string, { user }: { readonly user?: string } = {}): ClientConversation<Object> => ({
    id,
    ...openStarter<Object>(connection, crewPath, { conversation: id, ...(user !== undefined && { user }) }),
    state: () =>
      connection
        .json<ConversationState>(`v1/conversations/${encodeURIComponent(id)}`, { query: { crew: name, user } })
        .catch((error: unknown) => {
          if (error instanceof RemoteError && error.code === "unknown-session") return undefined;
          throw error;
        }),
  });
  const open = (accepted: Promise<AcceptedRun>, signal?: AbortSignal) => openRun<Object>(connection, accepted, signal);
  const continueRun = (runId: string, how: string, { acceptChanges, signal }: ClientResumeOptions = {}) =>
    open(connection.json(`${runPath(runId)}/${how}`, { body: { acceptChanges } }), signal);
  return {
    name,
    ...openStarter<Object>(connection, crewPath, {}),
    conversation,
    session: conversation,
    resume(runId, { attachments, ...answer }, { acceptChanges, signal } = {}) {
      const body = writeBody({ ...answer, acceptChanges }, attachments);
      return open(connection.json(`${runPath(runId)}/resume`, { body }), signal);
    },
    listAttachments: async (runId) =>
      (await connection.json<{ attachments: readonly Attachment[] }>(`${runPath(runId)}/attachments`)).attachments,
    async readAttachment(runId, sha256) {
      const response = await connection.ask(`${runPath(runId)}/attachments/${encodeURIComponent(sha256)}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    expire: (runId, options) => continueRun(runId, "expire", options),
    recover: (runId, options) => continueRun(runId, "recover", options),
    async cancel(runId) {
      await requestCancel(connection, runId);
      return readResult<Object>(connection, runId);
    },
    fork: (runId, fork, { signal } = {}) => open(connection.json(`${runPath(runId)}/fork`, { body: fork }), signal),
    async feedback(runId, verdict, words) {
      const { runId: _, ...feedback } = await connection.json<Feedback & { readonly runId: string }>(
        `${runPath(runId)}/feedback`,
        { body: { verdict, words } },
      );
      return feedback;
    },
    replay: (runId, { current } = {}) => connection.json(`${runPath(runId)}/replay`, { query: { current } }),
    readRequest: (runId, seq) => connection.json(`${runPath(runId)}/calls/${seq}`),
    plan: (input) => connection.json(`${crewPath}/plan`, { query: { input } }),
    stats: (query = {}) => connection.json(`${crewPath}/stats`, { query: { ...query } }),
    async suggest({ agent, input } = {}) {
      const body = { agent, input };
      return (await connection.json<{ targets: readonly RankedTarget[] }>(`${crewPath}/suggest`, { body })).targets;
    },
    // The id is what the caller says it is; the server refuses others.
    attach: (runId) => open(Promise.resolve({ runId: runId as RunId })),
  };
}

function openStarter<Object>(
  connection: Connection,
  crewPath: string,
  place: { readonly conversation?: string; readonly user?: string },
): ClientStarter<Object> {
  const prepare = (input: ClientInput, options: ClientStartOptions) => {
    const { user, history, variables, queue, traceparent, idempotencyKey = createKey() } = options;
    const { priority, delayMs } = queue ?? {};
    const { text, files } = splitInput(input);
    const body = { input: text, user, history, variables, priority, delay: delayMs, ...place };
    const headers = { "idempotency-key": idempotencyKey, ...(traceparent !== undefined && { traceparent }) };
    return { body: writeBody(body, files), headers };
  };
  const start = (input: ClientInput, options: ClientStartOptions = {}) => {
    refuseOthers(options);
    const asking = prepare(input, options);
    // With its key, a start that is sent twice is one run.
    const accepted = connection.persist(() => connection.json<AcceptedRun>(`${crewPath}/runs`, asking));
    return openRun<Object>(connection, accepted, options.signal);
  };
  return {
    start,
    async begin(input, options) {
      const handle = start(input, options);
      return { id: await handle.id, handle };
    },
    run: async (input, options) => start(input, options).result,
    stream(input, options = {}) {
      refuseOthers(options);
      const { body, headers } = prepare(input, options);
      const asking = { body, headers: { ...headers, accept: "text/event-stream" } };
      return openStream<Object>(connection, () => connection.ask(`${crewPath}/runs`, asking), options.signal);
    },
  };
}

/** Options of a crew in this process that no server can be sent would be ignored. */
function refuseOthers(options: object): void {
  const [other] = Object.keys(options).filter((name) => !Object.hasOwn(startOptions, name));
  if (other !== undefined)
    throw new BatonError(
      "bad-option",
      `there is no option '${other}' over HTTP; there are ${Object.keys(startOptions).join(", ")}`,
    );
}

/** `crypto.randomUUID` is missing in pages that were not loaded over HTTPS. */
function createKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}
