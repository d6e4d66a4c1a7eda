import { type AuthInfo, createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { createMcpServer } from "./create-mcp-server.ts";
import type { McpCaller, McpHost } from "./mcp-host.ts";
import type { McpHttp, McpRequest } from "./mcp-request.ts";

/** The headers that the protocol uses. */
const HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id"];

/** How many clients may listen for changes at once, each over a connection. */
const MAX_SUBSCRIPTIONS = 100;

/** A call in an older form of the protocol, which is cancelled by another request. */
interface OlderCall {
  isCancelled: boolean;
  readonly end: () => void;
}

export function createMcpHttp(host: McpHost): McpHttp {
  const olderCalls = new OlderCalls();
  const handler = createMcpHandler(({ era, authInfo }) => createFor(host, era, authInfo), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: () => {},
  });
  return {
    async answer(call) {
      const ending = new AbortController();
      const older = { isCancelled: false, end: () => ending.abort("cancelled") };
      const release = olderCalls.add(call.token.name, call.body, older);
      olderCalls.cancel(call.token.name, call.body);
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers: new Headers(HEADERS.flatMap((name) => [[name, call.header(name)]].filter(isGiven))),
        body: JSON.stringify(call.body),
        signal: AbortSignal.any([call.signal, ending.signal]),
      });
      call.outgoing.once("close", release);
      const { name } = call.token;
      return handler.fetch(request, {
        parsedBody: call.body,
        authInfo: { token: "", clientId: name, scopes: [], extra: { call, older } },
      });
    },
  };
}

function isGiven(header: (string | undefined)[]): header is [string, string] {
  return header[1] !== undefined;
}

/** The package hands `extra` from the request to here as it is. */
function createFor(host: McpHost, era: "legacy" | "modern", { extra }: Partial<AuthInfo> = {}): McpServer {
  const { call, older } = extra as { readonly call: McpRequest; readonly older: OlderCall };
  const caller: McpCaller = {
    token: call.token,
    user: call.token.name,
    traceparent: call.header("traceparent"),
    about: call.about,
    // In the current form, a client cancels by closing the response. In older forms that only says that the connection is gone.
    onLeave: () => (era === "modern" || older.isCancelled ? "cancel" : "keep"),
  };
  return createMcpServer({ host, caller, era });
}

/**
 * Calls in older forms of the protocol, by token and the client's number of the request. A client cancels with another request, which
 * nothing else connects to the call. If two clients share a token and a number, neither call is cancelled.
 */
class OlderCalls {
  readonly #calls = new Map<string, Set<OlderCall>>();

  add(token: string, body: unknown, call: OlderCall): () => void {
    const { id, method } = readMessage(body);
    if (method !== "tools/call" || id === undefined) return () => {};
    const key = JSON.stringify([token, id]);
    const calls = this.#calls.get(key) ?? new Set();
    this.#calls.set(key, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0 && this.#calls.get(key) === calls) this.#calls.delete(key);
    };
  }

  cancel(token: string, body: unknown): void {
    const { method, cancelled } = readMessage(body);
    if (method !== "notifications/cancelled") return;
    const [call, ...others] = this.#calls.get(JSON.stringify([token, cancelled])) ?? [];
    if (call === undefined || others.length > 0) return;
    call.isCancelled = true;
    call.end();
  }
}

function readMessage(body: unknown): {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly cancelled?: unknown;
} {
  if (typeof body !== "object" || body === null) return {};
  const { id, method, params } = body as Readonly<Record<string, unknown>>;
  const cancelled =
    typeof params === "object" && params !== null && "requestId" in params ? params.requestId : undefined;
  return { id, method, cancelled };
}
