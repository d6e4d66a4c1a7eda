import { loadDefinition } from "../src/definition/load-definition.ts";
import type { LoadOptions } from "../src/definition/loading.ts";
import type { Crew } from "../src/vocabulary/crew.ts";
import type { Diagnostic } from "../src/vocabulary/diagnostic.ts";
import { writeCrew } from "./write-crew.ts";

/** Writes files to a folder and loads the crew that they form, or the one at `path` among them. */
export function loadWrittenCrew(
  files: Readonly<Record<string, string>>,
  path = ".",
  options: Partial<LoadOptions> = {},
): { readonly crew: Crew; readonly diagnostics: readonly Diagnostic[] } {
  const folder = writeCrew(files);
  const { crew, diagnostics } = loadDefinition(path, { workingDirectory: folder, root: folder, ...options });
  if (crew === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return { crew, diagnostics };
}

/** Agent files of ids, each with its frontmatter and a word for a prompt. */
export function agentFiles(agents: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(agents).map(([id, keys]) => [`agents/${id}.md`, `---\n${keys}\n---\nWork.\n`]),
  );
}
