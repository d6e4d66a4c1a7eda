import { readText } from "../definition/read-text.ts";

/** Whether the beginning of a Markdown file says that it is an agent: frontmatter with a description, or collaborations. */
export function looksLikeAgent(file: string, root: string): boolean {
  const result = readText(file, root);
  if ("problem" in result) return false;
  const text = result.text.replace(/^\s+/, "");
  if (/^\*\*(?:Primary )?Collaborations\*\*|^HANDOFF DECLARATION/m.test(text)) return true;
  if (!text.startsWith("---")) return false;
  const head = text.slice(0, Math.max(0, text.indexOf("\n---", 3)));
  return /^description[ \t]*:/m.test(head);
}
