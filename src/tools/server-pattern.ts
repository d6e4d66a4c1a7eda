/** Whether a tool's name stands for all tools of an MCP server: `<server>__*`. */
export function isServerPattern(name: string): boolean {
  return name.endsWith("__*");
}

/** Those of the names that a pattern stands for. */
export function matchServerPattern(pattern: string, names: Iterable<string>): string[] {
  const prefix = pattern.slice(0, -1);
  return [...names].filter((name) => name.startsWith(prefix) && !isServerPattern(name));
}
