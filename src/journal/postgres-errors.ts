import { BatonError } from "../vocabulary/errors.ts";

/** What pg throws: SQLSTATE codes of the server, codes of Node's sockets, or no code. */
interface DriverError extends Error {
  readonly code?: string;
}

/** The database as messages name it: never with the password. */
export function describeDatabase(
  {
    user,
    host,
    port,
    database,
  }: {
    readonly user?: string | undefined;
    readonly host: string;
    readonly port: number;
    readonly database?: string | undefined;
  },
  schema: string,
): string {
  const server = host.startsWith("/") ? `(${host})` : `${host}:${port}`;
  return `postgres://${user === undefined || user === "" ? "" : `${user}@`}${server}/${database ?? ""}, schema ${schema}`;
}

/** The server is going down, starting, or out of connections; the statement met another one, or was cancelled. */
const PASSING_STATES: ReadonlySet<string> = new Set([
  ...["57P01", "57P02", "57P03", "57P05", "57014", "53300", "40001", "40P01", "55P03", "25P03"],
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOENT",
    "EPIPE",
    "ETIMEDOUT",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "EAI_AGAIN",
    "ECONNABORTED",
  ],
]);
const PASSING_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded|Client has encountered a connection error|Client was closed|read E|write E)/;

/** Whether the same statement may succeed in a moment: the connection was lost, or the server restarts. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "" } = error as DriverError;
  if (error instanceof AggregateError && error.errors.some(isPassing)) return true;
  return PASSING_STATES.has(code) || /^08/.test(code) || PASSING_MESSAGES.test(error.message);
}

export function explainUnreachable(place: string, cause: unknown): BatonError {
  const code = cause instanceof Error ? (cause as DriverError).code : undefined;
  if (code === "53300") {
    const message = `the database at ${place} has no connection left; nothing was written: close other programs, or raise its max_connections`;
    return new BatonError("store-busy", message, { cause });
  }
  if (code === "40001" || code === "40P01" || code === "55P03" || code === "57014") {
    const message = `the database at ${place} was busy with other programs for too long; nothing was written: try again`;
    return new BatonError("store-busy", message, { cause });
  }
  const message = `no answer from the database at ${place} (${summarize(cause)}). Check that the server runs and can be reached. Stored runs are safe; continue them with baton resume <run>`;
  return new BatonError("store-unreachable", message, { cause });
}

/** Turns an error of the driver or the server into a message that users can act on. All others are bugs and stay as they are. */
export function toPostgresError(place: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BatonError) return error;
  const { code = "" } = error as DriverError;
  const known = explainState(place, code, error);
  if (known !== undefined) return known;
  if (isPassing(error)) return explainUnreachable(place, error);
  if (code === "ENOTFOUND") {
    const message = `the database at ${place} cannot be found: there is no such host. Check the address`;
    return new BatonError("store-unreachable", message, { cause: error });
  }
  if (/password must be a string|no password|SASL/i.test(error.message)) {
    const message = `the database at ${place} asks for a password. Write it into BATON_STORE (postgres://user:password@…), or set PGPASSWORD`;
    return new BatonError("store-denied", message, { cause: error });
  }
  if (isAboutTls(error, code)) {
    const message = `no encrypted connection to the database at ${place}: ${error.message}. In its address, sslrootcert=<file> names the certificate to trust, sslmode=disable does without encryption`;
    return new BatonError("store-failed", message, { cause: error });
  }
  // SQLSTATE has five characters; all else is not the server's.
  if (!/^[0-9A-Z]{5}$/.test(code)) return error;
  return new BatonError("store-failed", `the database at ${place} refused: ${error.message}`, { cause: error });
}

function explainState(place: string, code: string, cause: Error): BatonError | undefined {
  const explain = (as: BatonError["code"], what: string) => new BatonError(as, what, { cause });
  switch (code) {
    case "28P01":
    case "28000":
      return explain(
        "store-denied",
        `the database at ${place} does not let this user in (${cause.message}). Check user and password in the store's address`,
      );
    case "3D000":
      return explain(
        "store-not-found",
        `there is no such database: ${place}. Create it (createdb <name>), or correct the store's address`,
      );
    case "42501":
      return explain(
        "store-denied",
        `the user of the database at ${place} lacks a right (${cause.message}). docs/postgres.md lists the rights that the store needs`,
      );
    case "25006":
      return explain(
        "store-read-only",
        `the database at ${place} is read-only, as a replica is: name the primary server`,
      );
    case "53100":
    case "53200":
      return explain(
        "store-full",
        `the database at ${place} has no room left (${cause.message}); what is in it is safe: free some space and try again`,
      );
    case "42P01":
    case "42703":
    case "3F000":
    case "23505":
    case "XX001":
    case "XX002":
      return explainPostgresDamage(place, cause.message, cause);
    default:
      return undefined;
  }
}

export function explainPostgresDamage(place: string, what: string, cause?: unknown): BatonError {
  const message = `the journal at ${place} is damaged: ${what}; restore a backup, or use another schema to begin a new one`;
  return new BatonError("store-damaged", message, { cause });
}

function isAboutTls(error: Error, code: string): boolean {
  return (
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code) ||
    /\bSSL\b/.test(error.message)
  );
}

function summarize(cause: unknown): string {
  if (cause instanceof AggregateError) return summarize(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
