import type { Client, Transport } from "@modelcontextprotocol/client";
import { directFetch, refuseBeyond, withBody } from "../http/direct-fetch.ts";
import type { McpServer } from "../vocabulary/crew.ts";
import { explainUnset, fillReferences } from "../vocabulary/environment-references.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import { type McpResult, readMcpResult } from "./read-mcp-result.ts";

/** A tool as its server describes it. */
export interface McpDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** A server that has been started or reached. */
export interface McpConnection {
  readonly definitions: readonly McpDefinition[];
  /** False once the server has ended or was killed. */
  isOpen(): boolean;
  call(tool: string, args: unknown, signal: AbortSignal): Promise<McpResult>;
  close(): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** What starting a server needs. */
export interface ConnectOptions {
  readonly variables: Variables;
  /** Called once if a server takes long to start. */
  readonly onWait?: ((message: string) => void) | undefined;
  readonly hintAfterMs?: number;
  readonly timeoutMs?: number;
  /** Ends a server that is still starting. */
  readonly signal?: AbortSignal;
}

/** A package may have to be downloaded first. */
const CONNECT_TIMEOUT_MS = 60_000;
const HINT_AFTER_MS = 10_000;
/** The run's own deadlines end calls. The client requires a timeout, so it gets the longest one. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** The most that a server may send in one message. The time of the client's buffer grows with the square of it. */
const MAX_MESSAGE_BYTES = 8 * 2 ** 20;

/** How many characters of a server's stderr are stored, and how many lines are shown. */
const MAX_WORDS = 4000;
const LAST_LINES = 10;

/** Starts or reaches a server and lists its tools. */
export async function connectMcp(name: string, server: McpServer, options: ConnectOptions): Promise<McpConnection> {
  const { Client } = await import("@modelcontextprotocol/client");
  const client = new Client({ name: "baton", version: "1" });
  let isOpen = true;
  let lastError = "";
  // Otherwise the client would keep waiting for a message that is never read to its end.
  const cutOff = (message: string) => {
    lastError = message;
    void client.close().catch(() => {});
  };
  const { transport, lastWords, kill } = await openTransport(
    expand(server, name, options.variables),
    options.variables,
    cutOff,
  );
  client.onclose = () => {
    isOpen = false;
  };
  // Some servers print lines that are not messages. If the connection ends, the next call reports it.
  client.onerror = ({ message }) => {
    lastError = message;
  };
  const timeout = options.timeoutMs ?? CONNECT_TIMEOUT_MS;
  const limits = { timeout, ...(options.signal !== undefined && { signal: options.signal }) };
  const hint = adviseHint(name, options, timeout, lastWords);
  try {
    await client.connect(transport, limits);
    const { tools } = await client.listTools(undefined, limits);
    return {
      definitions: tools,
      isOpen: () => isOpen,
      call: (tool, args, signal) =>
        call(client, tool, args, signal).catch((cause: Error) => {
          if (isOpen) throw cause;
          const why = lastError === "" ? "" : ` (${lastError})`;
          throw new Error(`MCP server '${name}' ended while it was being called${why}`, { cause });
        }),
      close: () => client.close(),
    };
  } catch (cause) {
    kill();
    void client.close().catch(() => {});
    const why = describeThrown(cause) + adviseCommand(server, cause);
    const said = lastWords();
    const message = `MCP server '${name}' (${formatCommand(server)}) cannot be used: ${why}${said === "" ? "" : `\nIts last words on stderr:\n${said}`}`;
    throw new BatonError("server-failed", message, { cause });
  } finally {
    clearTimeout(hint);
  }
}

function adviseCommand(server: McpServer, cause: unknown): string {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
  return isMissing && server.type === "stdio" && /\s/.test(server.command)
    ? "; 'command' names the program alone, and its arguments belong under 'args'"
    : "";
}

function adviseHint(
  name: string,
  { onWait, hintAfterMs = HINT_AFTER_MS }: ConnectOptions,
  timeoutMs: number,
  lastWords: () => string,
): NodeJS.Timeout | undefined {
  if (onWait === undefined) return undefined;
  return setTimeout(() => {
    const last = lastWords().split("\n").at(-1) ?? "";
    const said = last === "" ? "it has said nothing yet" : `its last line on stderr: ${last}`;
    const seconds = `${hintAfterMs / 1000} s; Baton waits up to ${timeoutMs / 1000} s`;
    onWait(`MCP server '${name}' has not answered within ${seconds} (${said})`);
  }, hintAfterMs);
}

/** Describes what would be started or reached, in which folder, and every variable or header with its value. */
export function describeServer(server: McpServer): string {
  const given = Object.entries(server.type === "http" ? server.headers : server.env);
  const shown = given.map(([name, value]) => `${name}=${quoteWord(value)}`);
  const where = server.type === "stdio" && server.cwd !== undefined ? ` in ${quoteWord(server.cwd)}` : "";
  return `${formatCommand(server)}${where}${shown.length === 0 ? "" : ` with ${shown.join(", ")}`}`;
}

function formatCommand(server: McpServer): string {
  return server.type === "http" ? server.url : [server.command, ...server.args].map(quoteWord).join(" ");
}

/** Adds quotes to texts that would not read as one word. */
function quoteWord(word: string): string {
  return /^[^\s"',]+$/.test(word) ? word : JSON.stringify(word);
}

async function call(client: Client, name: string, args: unknown, signal: AbortSignal): Promise<McpResult> {
  const given = args as Record<string, unknown>;
  return readMcpResult(await client.callTool({ name, arguments: given }, { signal, timeout: NO_TIMEOUT_MS }));
}

interface OpenTransport {
  readonly transport: Transport;
  /** What a server that was started said last on stderr. */
  readonly lastWords: () => string;
  /** Ends a server that was started, at once. */
  readonly kill: () => void;
}

async function openTransport(
  server: McpServer,
  variables: Variables,
  cutOff: (message: string) => void,
): Promise<OpenTransport> {
  if (server.type === "http") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const requestInit = { headers: { ...server.headers } };
    const fetch = createBoundedFetch(cutOff);
    const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit, fetch });
    return { transport, lastWords: () => "", kill: () => {} };
  }
  const { getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
  const { ServerProcess } = await import("./server-process.ts");
  let said = "";
  const transport = new ServerProcess({
    ...server,
    env: { ...getDefaultEnvironment(), ...selectNetworkVariables(variables), ...server.env },
    maxMessageBytes: MAX_MESSAGE_BYTES,
    onWords: (words) => {
      said = `${said}${words}`.slice(-MAX_WORDS);
    },
  });
  return { transport, lastWords: () => keepWholeLines(said), kill: () => transport.kill() };
}

/** Keeps the last lines and drops a line that is cut at its beginning. */
function keepWholeLines(words: string): string {
  const lines = words.trim().split("\n");
  return (words.length < MAX_WORDS || lines.length === 1 ? lines : lines.slice(1)).slice(-LAST_LINES).join("\n");
}

/**
 * Variables for the network of this machine. A server that downloads anything needs them, and they are not secrets of a
 * provider.
 */
const NETWORK_VARIABLES: ReadonlySet<string> = new Set([
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY", "NODE_USE_SYSTEM_CA"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"],
  ...["GIT_SSL_CAINFO", "PIP_CERT", "NPM_CONFIG_CAFILE", "NPM_CONFIG_PROXY", "NPM_CONFIG_HTTPS_PROXY"],
]);

function selectNetworkVariables(variables: Variables): Record<string, string> {
  const found = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && NETWORK_VARIABLES.has(name.toUpperCase()) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(found);
}

/** Answers to messages are bounded. The stream for the server's own messages may go on for ever. */
function createBoundedFetch(cutOff: (message: string) => void): typeof globalThis.fetch {
  const tooLarge = (message: string) => {
    cutOff(message);
    return new Error(message);
  };
  return async (input, init) => {
    const response = await directFetch(input, init, (message) => new Error(message));
    if (response.body === null || init?.method !== "POST") return response;
    return withBody(response, refuseBeyond(MAX_MESSAGE_BYTES, response.body, tooLarge));
  };
}

function expand(server: McpServer, name: string, variables: Variables): McpServer {
  const fill = (text: string) =>
    fillReferences(text, variables, (unset) => {
      throw new BatonError("no-variable", explainUnset(`MCP server '${name}'`, unset));
    });
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if (server.type === "http") return { ...server, url: fill(server.url), headers: fillAll(server.headers) };
  return { ...server, command: fill(server.command), args: server.args.map(fill), env: fillAll(server.env) };
}
