import type { Pool } from "pg";
import type { PostgresDatabase } from "../journal/postgres-database.ts";
import { toPostgresError } from "../journal/postgres-errors.ts";
import { POSTGRES_FORMAT } from "../journal/postgres-format.ts";
import { findPostgresPort, type OnQueued } from "../journal/postgres-port.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { BatonEvent } from "../vocabulary/events.ts";
import { DEFAULT_QUEUE } from "../vocabulary/queue-rule.ts";
import { type Dbos, type DispatchClient, loadDbos } from "./load-dbos.ts";
import { nameDispatchSchema, prepareTables } from "./prepare-tables.ts";
import { nameQueue, nameSegment, SEGMENT, type Segment } from "./segment.ts";

/** Hands queued runs to workers, through DBOS and the database of a store. */
export interface Dispatch {
  readonly dbos: Dbos;
  readonly database: PostgresDatabase;
  readonly client: DispatchClient;
  readonly pool: Pool;
  /** The schema of DBOS's tables, beside that of the store; once as it is, once quoted. */
  readonly schemaName: string;
  readonly schema: string;
  /** What DBOS is configured with, besides who executes. */
  readonly settings: Readonly<Record<string, unknown>>;
  enqueue(segment: Segment, delayMs: number): Promise<void>;
  close(): Promise<void>;
}

/** DBOS keeps the work of applications apart by their name. */
const APPLICATION = "baton";
/** DBOS wants an address, although it gets a pool and connects to nothing else. */
const UNUSED_ADDRESS = "postgresql://baton:unused@localhost:5432/baton";
const CONNECTIONS = 6;
const ENQUEUE_CONNECTIONS = 2;

const opened = new WeakMap<Store, Promise<Dispatch>>();

/**
 * Opens the dispatcher of a store, once for all who ask. From then on every run that is queued in the store waits for a worker.
 * Rejects with `bad-store` if the store is not in PostgreSQL, and with `missing-package`.
 */
export function openDispatch(store: Store, note: (message: string) => void = () => {}): Promise<Dispatch> {
  const known = opened.get(store);
  if (known !== undefined) return known;
  const opening = open(store, note);
  opened.set(store, opening);
  opening.catch(() => opened.delete(store));
  return opening;
}

async function open(store: Store, note: (message: string) => void): Promise<Dispatch> {
  const port = findPostgresPort(store);
  if (port === undefined)
    throw new BatonError(
      "bad-store",
      "workers share runs through PostgreSQL, and this store is a file: give --store postgres://user@host/database. On one machine, baton serve runs everything itself",
    );
  const { database } = port;
  const dbos = await loadDbos();
  const schemaName = nameDispatchSchema(database);
  const pool = database.createPool(CONNECTIONS);
  const settings = {
    name: APPLICATION,
    systemDatabaseUrl: UNUSED_ADDRESS,
    systemDatabasePool: pool,
    systemDatabaseSchemaName: schemaName,
    applicationVersion: `journal-${POSTGRES_FORMAT}`,
    logger: createLogger(note),
    useListenNotify: false,
    listenQueues: [],
  };
  const enqueuing = database.createPool(ENQUEUE_CONNECTIONS);
  try {
    await prepareTables(dbos, settings, pool, database);
    const client = await dbos.DBOSClient.create({
      systemDatabaseUrl: settings.systemDatabaseUrl,
      systemDatabasePool: enqueuing,
      systemDatabaseSchemaName: schemaName,
      applicationName: APPLICATION,
      logger: settings.logger,
    });
    const onQueued: OnQueued = async (connection, queued, events) => {
      const segment = await readSegment(connection, database, queued, events);
      const delayMs = queued.data.dueAt === undefined ? 0 : Date.parse(queued.data.dueAt) - queued.ts;
      await client.enqueueInTransaction(connection, describe(segment, delayMs), segment);
    };
    port.onQueued = onQueued;
    const close = async () => {
      port.onQueued = undefined;
      port.onClose = undefined;
      opened.delete(store);
      await client.destroy();
      await Promise.all([pool.end(), enqueuing.end()]);
    };
    port.onClose = close;
    return {
      ...{ dbos, database, client, pool, schemaName, settings },
      schema: `"${schemaName}"`,
      async enqueue(segment, delayMs) {
        await client.enqueue(describe(segment, delayMs), segment);
      },
      close,
    };
  } catch (error) {
    await Promise.all([pool.end(), enqueuing.end()]);
    throw toPostgresError(database.place, error);
  }
}

/** What is told of DBOS's own messages: only what it could not do. */
function createLogger(note: (message: string) => void) {
  const ignore = () => {};
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (message: unknown) => note(`dispatch: ${String(message)}`),
  };
}

function describe(segment: Segment, delayMs: number) {
  return {
    queueName: nameQueue(segment.queue),
    workflowName: SEGMENT,
    workflowID: nameSegment(segment),
    priority: segment.priority,
    queuePartitionKey: segment.partition,
    ...(delayMs > 0 && { delaySeconds: delayMs / 1000 }),
    ...(segment.by !== undefined && { authenticatedUser: segment.by }),
  };
}

async function readSegment(
  connection: Parameters<OnQueued>[0],
  { schema }: PostgresDatabase,
  { runId, seq = 0, data }: Parameters<OnQueued>[1],
  events: readonly BatonEvent[],
): Promise<Segment> {
  const { rows } = await connection.query(`SELECT crew FROM ${schema}.runs WHERE run_id = $1`, [runId]);
  const { queue = DEFAULT_QUEUE, partition = runId, priority, acceptChanges = false } = data;
  const by = findStarter(events);
  return { runId, crew: String(rows[0]?.crew), seq, queue, priority, partition, by, acceptChanges, returned: 0 };
}

/** Who starts or answers the run with these events. */
function findStarter(events: readonly BatonEvent[]): string | undefined {
  for (const { type, data } of events) if (type === "run.started" || type === "run.resumed") return data.by;
  return undefined;
}
