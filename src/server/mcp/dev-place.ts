import type { McpHost } from "./mcp-host.ts";

/** Where a coding assistant works. */
export interface DevPlace {
  readonly host: McpHost;
  readonly crews: { readonly workingDirectory: string; readonly root: string | undefined };
  readonly variables: Readonly<Record<string, string | undefined>>;
}
