import type { StoredRun } from "../journal/store.ts";
import type { WaitingRun } from "../run-storage/list-inbox.ts";
import type { RunStatus } from "../views/run-result.ts";
import { type ClientCrew, openClientCrew } from "./client-crew.ts";
import { type ClientOptions, Connection } from "./connection.ts";

export type { RunResult } from "../views/run-result.ts";
export type { Attachment } from "../vocabulary/attachment.ts";
export type { BatonErrorCode } from "../vocabulary/error-codes.ts";
export { BatonError } from "../vocabulary/errors.ts";
export type { BatonEvent, EventOf, EventType } from "../vocabulary/events.ts";
export type {
  ClientAnswer,
  ClientConversation,
  ClientCrew,
  ClientResumeOptions,
  ClientRunOptions,
  ClientStarter,
  ClientStartOptions,
  RemoteFork,
} from "./client-crew.ts";
export type { ClientRun, ClientStream } from "./client-run.ts";
export type { ClientOptions } from "./connection.ts";
export { RemoteError } from "./remote-error.ts";
export type { ClientFiles, ClientInput } from "./write-body.ts";

/** A Baton server, as one token sees it. */
export interface Client {
  /** A crew of the server. `Object` is the type of `result.object`. Nothing is asked before the first call. */
  crew<Object = unknown>(name: string): ClientCrew<Object>;
  /** The crews that the token may use. */
  crews(): Promise<readonly ServedCrewSummary[]>;
  /** Runs, the newest first; `cursor` is the `next` of the page before. */
  runs(query?: RunsQuery): Promise<{ readonly runs: readonly StoredRun[]; readonly next?: string }>;
  /** Paused runs with what each waits for, the newest first. */
  inbox(query?: {
    readonly crew?: string;
    readonly user?: string;
    readonly limit?: number;
  }): Promise<readonly WaitingRun[]>;
}

/** What a server says of a crew. */
export interface ServedCrewSummary {
  readonly name: string;
  readonly description?: string;
  readonly [key: string]: unknown;
}

export interface RunsQuery {
  readonly crew?: string;
  readonly status?: RunStatus;
  readonly conversation?: string;
  readonly user?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** Reaches a server that `baton serve` started. Throws a `BatonError` with the code `bad-option` without an address or a token. */
export function createClient(options: ClientOptions): Client {
  const connection = new Connection(options);
  return {
    crew: (name) => openClientCrew(connection, name),
    async crews() {
      return (await connection.json<{ crews: readonly ServedCrewSummary[] }>("v1/crews")).crews;
    },
    runs: (query = {}) => connection.json("v1/runs", { query: { ...query } }),
    async inbox(query = {}) {
      return (await connection.json<{ runs: readonly WaitingRun[] }>("v1/inbox", { query })).runs;
    },
  };
}
