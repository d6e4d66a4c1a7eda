import type { DiagnosticCode } from "../../vocabulary/diagnostic.ts";

/** A system whose files Baton reads as they are. Its rules turn its keys into ours before the shapes read them. */
export interface Origin {
  /** What people call it. */
  readonly name: string;
  /** Whether the system, or an older version of it, knows this key, and it has no counterpart here. */
  readonly isIdle: (key: string) => boolean;
  /** Why keys that mean nothing here have no effect. */
  readonly whyIdle: string;
  /** Whether the name of an MCP server stands for all its tools. */
  readonly namesServers?: true;
  /** Says what to do about tools that are declared nowhere, all of a crew at once. */
  readonly absentTools: { readonly code: DiagnosticCode; readonly explain: (names: string) => string };
}
