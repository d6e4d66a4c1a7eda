import type { ClientBase } from "pg";
import type { BatonEvent, EventOf } from "../vocabulary/events.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import type { Store } from "./store.ts";

/** Tells a dispatcher that a run waits for its turn, in the transaction that stores the event and those before it. */
export type OnQueued = (
  client: ClientBase,
  queued: EventOf<"run.queued">,
  events: readonly BatonEvent[],
) => Promise<void>;

/** What a store in PostgreSQL offers to whoever dispatches its runs to workers. */
export interface PostgresPort {
  readonly database: PostgresDatabase;
  /** Set by the dispatcher; undefined as long as there is none. */
  onQueued: OnQueued | undefined;
  /** Called before the store closes. */
  onClose: (() => Promise<void>) | undefined;
}

const ports = new WeakMap<Store, PostgresPort>();

/** The port of a store; undefined if the store is of another kind. */
export function findPostgresPort(store: Store): PostgresPort | undefined {
  return ports.get(store);
}

export function setPostgresPort(store: Store, port: PostgresPort): void {
  ports.set(store, port);
}
