import type { McpHost } from "./mcp-host.ts";
import type { McpHttp } from "./mcp-request.ts";
import type { McpChoices } from "./open-mcp-host.ts";

/** MCP over HTTP, made when its first client comes: others do not pay for it. */
export function lazyMcpHttp(
  parts: Omit<McpHost, "states" | "calls" | "waitMs" | "recovers" | "isLocal" | "note">,
  choices: McpChoices,
): () => Promise<McpHttp> {
  let made: Promise<McpHttp> | undefined;
  return () => {
    made ??= make(parts, choices);
    return made;
  };
}

async function make(...[parts, choices]: Parameters<typeof lazyMcpHttp>): Promise<McpHttp> {
  const [{ createMcpHttp }, { openMcpHost }] = await Promise.all([
    import("./answer-http.ts"),
    import("./open-mcp-host.ts"),
  ]);
  return createMcpHttp(openMcpHost(parts, choices));
}
