import { keepLetters, simplifyName } from "../vocabulary/wording.ts";
import type { AgentFile } from "./agent-file.ts";

/** Finds collaborators by what people call them: `Python Reviewer` is `python_reviewer_agent`. */
export interface CollaboratorIndex {
  /** All ids that the name fits: one is a match, several are ambiguous. */
  find(name: string): readonly string[];
}

/** `DNS` is rather `dns` than `dns_agent`, where there are both. */
export function indexCollaborators(files: ReadonlyMap<string, AgentFile>): CollaboratorIndex {
  const forms = [keepLetters, simplifyName].map((form) => ({ form, ids: idsBy(form, files) }));
  const find = (name: string) =>
    forms.map(({ form, ids }) => ids.get(form(name))).find((fitting) => fitting !== undefined) ?? [];
  return { find: (name) => (files.has(name) ? [name] : find(name)) };
}

function idsBy(form: (name: string) => string, files: ReadonlyMap<string, AgentFile>): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, file] of files) {
    for (const name of new Set([form(id), form(file.keys.name ?? id)])) ids.set(name, [...(ids.get(name) ?? []), id]);
  }
  return ids;
}
