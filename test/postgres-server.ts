import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { TABLE_NAMES } from "../src/journal/postgres-format.ts";

/** A PostgreSQL server for tests, on a socket in a temporary folder. */
export interface PostgresServer {
  /** The address of a database on it, for its owner. */
  url(database?: string): string;
  readonly folder: string;
  /** Stops it at once, as a crash would, and waits until it is gone. */
  kill(): void;
  start(): void;
  stop(): void;
}

const FOLDER = "postgres";

/**
 * The server that all tests share. Whoever needs it first starts it; `stopSharedServer` ends it when the tests are over. Tests that
 * stop servers start one of their own.
 */
async function sharedServer(): Promise<PostgresServer> {
  const folder = join(tmpdir(), FOLDER);
  if (claim(folder)) {
    const server = createServer(folder);
    server.start();
    writeFileSync(join(folder, "ready"), "");
    return server;
  }
  const server = openServer(folder);
  while (!existsSync(join(folder, "ready"))) await new Promise((resolve) => setTimeout(resolve, 20));
  return server;
}

export function stopSharedServer(temporary: string): void {
  const folder = join(temporary, FOLDER);
  if (existsSync(join(folder, "ready"))) openServer(folder).stop();
}

export function startServer(options: ServerOptions = {}): PostgresServer {
  const server = createServer(mkdtempSync(join(tmpdir(), "pg-")), options);
  server.start();
  return server;
}

/** A schema of its own in the shared server, as `?schema=` names it. */
export async function newSchema(): Promise<TestSchema> {
  const server = await sharedServer();
  const name = `s_${randomUUID().replaceAll("-", "")}`;
  const pool = new pg.Pool({ connectionString: server.url(), allowExitOnIdle: true, max: 1 });
  pool.on("error", () => {});
  return {
    name,
    folder: server.folder,
    url: `${server.url()}&schema=${name}&application_name=${name}`,
    query: async (text, values = []) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    async clear() {
      await pool.query(TABLE_NAMES.map((table) => `DELETE FROM ${name}.${table}`).join("; "));
    },
  };
}

export interface TestSchema {
  readonly name: string;
  /** Holds the server's socket. */
  readonly folder: string;
  readonly url: string;
  /** Sends one statement as the owner of the server. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Empties its tables, which is faster than making them again. */
  clear(): Promise<void>;
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

interface ServerOptions {
  /** Whether a commit survives a crash of the machine. */
  readonly isDurable?: boolean;
}

function createServer(folder: string, options: ServerOptions = {}): PostgresServer {
  const data = join(folder, "data");
  if (isRoot()) execFileSync("chown", ["postgres", folder], { stdio: "ignore" });
  allowPassage(folder);
  runAsOwner("initdb", folder, [
    "-D",
    data,
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
    "-A",
    "trust",
  ]);
  // Users of the database `guarded` need a password.
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, `local guarded all scram-sha-256\n${readFileSync(rules, "utf8")}`);
  return openServer(folder, options);
}

function openServer(folder: string, { isDurable = false }: ServerOptions = {}): PostgresServer {
  const data = join(folder, "data");
  const control = (...args: readonly string[]) => runAsOwner("pg_ctl", folder, ["-D", data, "-w", "-t", "60", ...args]);
  return {
    folder,
    url: (database = "postgres") => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`,
    start() {
      // What the tests lose by a crash of the machine does not matter; what a crash of the server loses does.
      const options = `-k ${folder} -c listen_addresses= -c fsync=${isDurable ? "on" : "off"} -c max_connections=200`;
      control("start", "-l", join(folder, "server.log"), "-o", options);
    },
    kill: () => control("stop", "-m", "immediate"),
    stop: () => control("stop", "-m", "fast"),
  };
}

function runAsOwner(program: string, folder: string, args: readonly string[]): void {
  const file = join(findPrograms(), program);
  // The server refuses to run as root, and so does initdb.
  const [command = file, ...rest] = isRoot()
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", file]
    : [file];
  const log = openSync(join(folder, `${program}.log`), "a");
  try {
    execFileSync(command, [...rest, ...args], { stdio: ["ignore", log, log], cwd: "/" });
  } catch (error) {
    throw new Error(`${program} failed: ${readFileSync(join(folder, `${program}.log`), "utf8").slice(-2000)}`, {
      cause: error,
    });
  } finally {
    closeSync(log);
  }
}

function isRoot(): boolean {
  return userInfo().uid === 0;
}

/** The user of the server must be able to go through the folders above its own. */
function allowPassage(folder: string): void {
  if (isRoot()) execFileSync("chmod", ["a+x", tmpdir(), folder], { stdio: "ignore" });
}

/** The newest of Debian's servers, or one in the path. */
function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const inPath = (process.env["PATH"] ?? "").split(":");
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...inPath];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
  if (found !== undefined) return found;
  throw new Error("the tests of the PostgreSQL store need a server: apt-get install postgresql");
}
