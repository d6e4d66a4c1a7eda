/** The files that agents are written in. */
export const markdownExtensions: readonly string[] = [".md", ".ai"];
export const agentExtensions: readonly string[] = [...markdownExtensions, ".yaml", ".yml"];

/** Whether a name ends like an agent's file. */
export function hasAgentExtension(name: string): boolean {
  return agentExtensions.some((extension) => name.endsWith(extension));
}
