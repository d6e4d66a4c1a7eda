import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type JSONRPCMessage, ReadBuffer, type Transport } from "@modelcontextprotocol/client";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  /** The most that the server may send in one message. */
  readonly maxMessageBytes: number;
  /** Told what the server writes to stderr. */
  readonly onWords: (words: string) => void;
}

/** How long a server has to end when its stdin closes, and again after SIGTERM. */
const GRACE_MS = 2000;
const POLL_MS = 20;

/** The groups of servers that have not ended, by the process id of each server. */
const alive = new Set<number>();
// A process that ends in a hurry leaves none behind.
process.on("exit", () => {
  for (const pid of alive) signalGroup(pid, "SIGKILL");
});

/**
 * An MCP server on stdio. It leads a process group, so that a launcher such as `npx` or `sh` ends together with the server that it
 * started. Windows has no such groups.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: ServerCommand;
  readonly #buffer: ReadBuffer;
  #child: ChildProcessWithoutNullStreams | undefined;
  #closing: Promise<void> | undefined;

  constructor(server: ServerCommand) {
    this.#server = server;
    this.#buffer = new ReadBuffer({ maxBufferSize: server.maxMessageBytes });
  }

  start(): Promise<void> {
    const { command, args, env, cwd, onWords } = this.#server;
    const child = spawn(command, args, { env, cwd, detached: true });
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) {
      alive.add(pid);
      child.on("exit", () => {
        // What it leaves behind serves nobody.
        if (signalGroup(pid, 0)) void this.close();
        else alive.delete(pid);
      });
    }
    child.on("close", () => this.onclose?.());
    child.stderr.on("data", (chunk: Buffer) => onWords(chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on("error", (error) => this.onerror?.(error));
    return new Promise((resolve, reject) => {
      child.on("spawn", resolve);
      child.on("error", (error) => {
        reject(error);
        this.onerror?.(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child?.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Lets the server end by itself, and ends it if it does not. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Ends the server and all that it started, at once. */
  kill(): void {
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, "SIGKILL");
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (cause) {
      this.onerror?.(
        new Error(`it sent a message of more than ${this.#server.maxMessageBytes / 2 ** 20} MB`, { cause }),
      );
      void this.close();
      return;
    }
    for (let isLeft = true; isLeft; ) {
      try {
        const message = this.#buffer.readMessage();
        isLeft = message !== null;
        if (message !== null) this.onmessage?.(message);
      } catch (error) {
        this.#tell(error);
      }
    }
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  async #end(): Promise<void> {
    const { pid, stdin, stdout, stderr } = this.#child ?? {};
    if (pid === undefined) return;
    stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await hasEnded(pid)) break;
      signalGroup(pid, signal);
    }
    alive.delete(pid);
    // A process outside the group may hold the pipes, and would hold us.
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    this.#buffer.clear();
  }
}

async function hasEnded(pid: number): Promise<boolean> {
  for (const until = Date.now() + GRACE_MS; Date.now() < until; ) {
    if (!signalGroup(pid, 0)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Whether there was anybody to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
