import type { Service } from "../service.ts";
import type { Token } from "../token.ts";
import type { RequestStates } from "./request-states.ts";

/** What the tools of MCP act on. A server has it, and so has `baton mcp`. */
export interface McpHost extends Pick<Service, "store" | "crews" | "supervisor" | "channels" | "spending"> {
  /** How long a call waits for its run. Clients give up after a minute. */
  readonly waitMs: number;
  /** Whether callers are people of this machine, who may read what went wrong on it. */
  readonly isLocal: boolean;
  /** Whether interrupted runs are continued by themselves. */
  readonly recovers: boolean;
  readonly states: RequestStates;
  /** The calls that have not been answered yet. */
  readonly calls: Set<Promise<unknown>>;
  /** Notes what people should know. */
  note(message: string): void;
}

/** Whoever calls the tools. */
export interface McpCaller {
  readonly token: Token;
  /** For whom runs are; undefined for the person whose machine it is. */
  readonly user: string | undefined;
  /** The span that a call belongs to, if its request has a header that says so. */
  readonly traceparent: string | undefined;
  /** Notes the run that a call is about, for the log. */
  about(runId: string): void;
  /** What becomes of the run of a call that ends before its run does. */
  onLeave(reason: unknown): "cancel" | "keep";
}
