import { simplifyName } from "../simplify-name.ts";
import type { AgentFile } from "./agent-file.ts";

/** Finds collaborators by what people call them: `Python Reviewer` is `python_reviewer_agent`. */
export interface CollaboratorIndex {
  /** All ids that the name fits: one is a match, several are ambiguous. */
  find(name: string): readonly string[];
}

export function indexCollaborators(files: ReadonlyMap<string, AgentFile>): CollaboratorIndex {
  const byName = new Map<string, string[]>();
  for (const [id, file] of files) {
    for (const name of new Set([simplifyName(id), simplifyName(file.keys.name ?? id)])) {
      byName.set(name, [...(byName.get(name) ?? []), id]);
    }
  }
  return { find: (name) => (files.has(name) ? [name] : (byName.get(simplifyName(name)) ?? [])) };
}
