import type { Token } from "../token.ts";

/** A request of a client of MCP over HTTP, whose token and body are checked. */
export interface McpRequest {
  readonly token: Token;
  readonly body: unknown;
  header(name: string): string | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly outgoing: { once(event: "close", callback: () => void): unknown };
  about(runId: string): void;
}

/** MCP over HTTP. Between requests it remembers only what is needed to cancel a call. */
export interface McpHttp {
  answer(request: McpRequest): Promise<Response>;
}
