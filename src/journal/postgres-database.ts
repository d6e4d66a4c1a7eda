import type { ClientBase, Pool, PoolClient, PoolConfig } from "pg";
import { BatonError } from "../vocabulary/errors.ts";
import { describeDatabase, explainUnreachable, isPassing, toPostgresError } from "./postgres-errors.ts";
import type { PostgresOptions } from "./postgres-options.ts";

/** The rows of a result. Numbers come as numbers, also those of 64 bits. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** A statement with its parameters as `$1`, `$2`. One with a name is parsed once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export type Query = (statement: Statement) => Promise<readonly PostgresRow[]>;

/** A PostgreSQL database in which a store has a schema of its own. */
export interface PostgresDatabase {
  /** The name of the schema, quoted. */
  readonly schema: string;
  readonly schemaName: string;
  /** The database without its password, for messages. */
  readonly place: string;
  /** How long calls wait for a server that does not answer. */
  readonly patienceMs: number;
  /**
   * Sends one statement. Where the connection is lost or the server restarts, it is sent again until `until` (a time of
   * `performance.now()`), so that it must do no harm twice.
   */
  query(statement: Statement, until?: number): Promise<readonly PostgresRow[]>;
  /** Sends one statement once. What fails is thrown as the driver has it. */
  queryOnce(statement: Statement, timeoutMs: number): Promise<readonly PostgresRow[]>;
  /** Does something in one transaction, and again if the connection is lost. */
  transact<Result>(go: (query: Query, client: ClientBase) => Promise<Result>, until?: number): Promise<Result>;
  /** Waits before another attempt after an error that passes; throws what users can act on if it does not, or if it is too late. */
  waitAfter(error: unknown, attempt: number, until: number): Promise<void>;
  /** The error for a call that was not answered in time. */
  explainSilence(cause: unknown): BatonError;
  /** Calls back with what is notified on a channel, on a connection of its own, until the returned function is called. */
  listen(channel: string, listener: Listener): () => void;
  /** Makes another pool of connections to the same database, for a library that needs its own. Whoever asks for it ends it. */
  createPool(connections: number): Pool;
  close(): Promise<void>;
}

interface Listener {
  onNotice(payload: string): void;
  /** Notices may have been lost before, or will be from now on. */
  onChange(isListening: boolean): void;
}

const PATIENCE_MS = 10_000;
const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
/** A process that is stopped in a transaction must not hold up the others. */
const IDLE_IN_TRANSACTION_MS = 5000;
const RETRY_MS = [20, 50, 100, 250, 500] as const;
/** PostgreSQL's number for its integers of 64 bits. */
const INT8 = 20;

/** Makes a pool of connections. Nothing is sent yet. `pg` is imported here, and only here. */
export async function connectPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresDatabase> {
  const pg = await importDriver();
  const { config, place, schemaName } = readConnection(pg, url, options);
  const types: NonNullable<PoolConfig["types"]> = {
    getTypeParser: (id, format) => (Number(id) === INT8 ? Number : pg.types.getTypeParser(id, format)),
  };
  const createPool = (own: PoolConfig): Pool => {
    const pool = new pg.Pool({
      ...config,
      ...own,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // A connection that breaks while nobody uses it is replaced when somebody needs one. Without a listener it would end the process.
    pool.on("error", () => {});
    // The same goes for one that breaks between two statements; the next statement says so.
    pool.on("connect", (client) => void client.on("error", () => {}));
    return pool;
  };
  const pool = createPool({ types, max: options.connections ?? CONNECTIONS });
  return createDatabase(pool, new Set(), () => new pg.Client({ ...config, keepAlive: true }), {
    place,
    schemaName,
    patienceMs: options.patienceMs ?? PATIENCE_MS,
    createPool: (max) => createPool({ max }),
  });
}

type Driver = typeof import("pg").default;

async function importDriver(): Promise<Driver> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "a store in PostgreSQL needs the package pg, which is not installed: npm install pg@8";
    throw new BatonError("missing-package", message, { cause: error });
  }
}

interface Connection {
  readonly config: PoolConfig;
  readonly place: string;
  readonly schemaName: string;
}

/** Reads the URL with the driver's own code, so that it means what it means everywhere. Errors never show the URL: it has the password. */
function readConnection(pg: Driver, url: string, options: PostgresOptions): Connection {
  let client: InstanceType<Driver["Client"]>;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? `: ${(error as Error).message}` : "";
    throw new BatonError(
      "bad-option",
      `the address of the PostgreSQL store cannot be read${why}. Write postgres://user:password@host:5432/database, with special characters of the password as %40 (@), %2F (/), %23 (#)`,
    );
  }
  const { user, host, port, database, password } = client;
  const parameters = readParameters(url);
  const schemaName = options.schema ?? parameters.get("schema") ?? "baton";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schemaName) || schemaName.startsWith("pg_"))
    throw new BatonError(
      "bad-option",
      `'${schemaName}' cannot be the schema of a store: use up to 63 of the letters a to z, digits and _, such as baton`,
    );
  const config: PoolConfig = {
    ...{ user, host, port, password, ssl: client.ssl },
    ...(database !== undefined && { database }),
    application_name: parameters.get("application_name") ?? "baton",
  };
  return { config, place: describeDatabase({ user, host, port, database }, schemaName), schemaName };
}

function readParameters(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

interface Surroundings {
  readonly place: string;
  readonly schemaName: string;
  readonly patienceMs: number;
  readonly createPool: (connections: number) => Pool;
}

function createDatabase(
  pool: Pool,
  listening: Set<() => void>,
  createClient: () => InstanceType<Driver["Client"]>,
  { place, schemaName, patienceMs, createPool }: Surroundings,
): PostgresDatabase {
  const patience = () => performance.now() + patienceMs;
  const queryOnce = async ({ name, text, values = [] }: Statement, timeoutMs: number) => {
    const query = {
      text,
      values: [...values],
      query_timeout: Math.max(1, timeoutMs),
      ...(name !== undefined && { name }),
    };
    return (await pool.query<PostgresRow>(query)).rows;
  };
  const waitAfter = async (error: unknown, attempt: number, until: number): Promise<void> => {
    if (!isPassing(error)) throw toPostgresError(place, error);
    const ms = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0;
    if (performance.now() + ms >= until) throw explainUnreachable(place, error);
    await new Promise((resolve) => setTimeout(resolve, ms));
  };
  const persist = async <Result>(go: (timeoutMs: number) => Promise<Result>, until: number): Promise<Result> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await go(until - performance.now());
      } catch (error) {
        if (error instanceof BatonError) throw error;
        await waitAfter(error, attempt, until);
      }
    }
  };
  return {
    place,
    schemaName,
    patienceMs,
    createPool,
    schema: `"${schemaName}"`,
    query: (statement, until = patience()) => persist((timeoutMs) => queryOnce(statement, timeoutMs), until),
    queryOnce,
    transact: (go, until = patience()) => persist((timeoutMs) => transactOnce(pool, go, timeoutMs), until),
    waitAfter,
    explainSilence: (cause) => explainUnreachable(place, cause),
    listen(channel, listener) {
      const stop = keepListening(createClient, channel, listener);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    },
    async close() {
      for (const stop of listening) stop();
      await pool.end();
    },
  };
}

async function transactOnce<Result>(
  pool: Pool,
  go: (query: Query, client: ClientBase) => Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  const client: PoolClient = await pool.connect();
  let failure: Error | undefined;
  const query: Query = async ({ name, text, values = [] }) => {
    const given = {
      text,
      values: [...values],
      query_timeout: Math.max(1, timeoutMs),
      ...(name !== undefined && { name }),
    };
    return (await client.query<PostgresRow>(given)).rows;
  };
  try {
    await query({ text: "BEGIN" });
    const result = await go(query, client);
    await query({ text: "COMMIT" });
    return result;
  } catch (error) {
    // What was refused is taken back, and the connection can be used again.
    if (error instanceof BatonError) await query({ text: "ROLLBACK" });
    else failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // Closing the connection ends the transaction, also where the server cannot be told.
    client.release(failure);
  }
}

/** Listens until it is stopped, and connects again whenever the connection is lost. */
function keepListening(
  createClient: () => InstanceType<Driver["Client"]>,
  channel: string,
  { onNotice, onChange }: Listener,
): () => void {
  let isStopped = false;
  let client: InstanceType<Driver["Client"]> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const connect = (attempt: number) => {
    const mine = createClient();
    client = mine;
    let isLost = false;
    const lose = () => {
      if (isLost) return;
      isLost = true;
      // Readers poll until it listens again.
      mine.end().catch(() => {});
      if (isStopped) return;
      onChange(false);
      timer = setTimeout(() => connect(attempt + 1), RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
      timer.unref();
    };
    mine.on("error", lose);
    mine.on("end", lose);
    mine.on("notification", ({ payload = "" }) => onNotice(payload));
    mine
      .connect()
      .then(() => mine.query(`LISTEN "${channel}"`))
      .then(() => {
        attempt = 0;
        if (!isStopped) onChange(true);
      })
      .catch(lose);
  };
  connect(0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    // It is closed whatever becomes of the farewell.
    client?.end().catch(() => {});
  };
}
