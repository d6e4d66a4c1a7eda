import type { McpHost } from "./mcp-host.ts";
import { createRequestStates } from "./request-states.ts";

/** Clients give up after 60 s. */
const WAIT_MS = 45_000;

export interface McpChoices extends Pick<McpHost, "recovers" | "isLocal" | "note"> {
  readonly waitMs?: number | undefined;
  /** How long a question can be answered by calling again. */
  readonly validSeconds?: number | undefined;
}

/** Adds what tools of MCP need to the parts of a server. */
export function openMcpHost(
  parts: Omit<McpHost, "states" | "calls" | "waitMs" | "recovers" | "isLocal" | "note">,
  { waitMs = WAIT_MS, validSeconds, ...choices }: McpChoices,
): McpHost {
  return { ...parts, ...choices, waitMs, calls: new Set(), states: createRequestStates(parts.store, validSeconds) };
}
