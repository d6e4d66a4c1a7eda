/** A system whose files Baton reads as they are. Its rules turn its keys into ours before the shapes read them. */
export interface Origin {
  /** What people call it. */
  readonly name: string;
  /** Whether the system, or an older version of it, knows this key, and it has no counterpart here. */
  readonly isIdle: (key: string) => boolean;
  /** Why keys that mean nothing here have no effect. */
  readonly whyIdle: string;
  /** Whether agents are also called by the names that people read, not only by ids. */
  readonly callsByName?: true;
  /** The name under which Baton has a tool. `isServer` says whether there is an MCP server of a name. */
  readonly nameTool?: (tool: string, isServer: (name: string) => boolean) => string;
  /** Says what to do about tools that are declared nowhere, all of a crew at once. */
  readonly absentTools: {
    /** With `absent-tool` the agents go without them. */
    readonly code: "unknown-tool" | "absent-tool";
    readonly explain: (names: string) => string;
  };
}
