import { keepLetters, simplifyName } from "../vocabulary/wording.ts";
import type { AgentFile } from "./agent-file.ts";

/** Finds agents by what people call them: `Python Reviewer` is `python_reviewer_agent`. */
export interface CollaboratorIndex {
  /** All ids that the name fits: one is a match, several are ambiguous. */
  find(name: string): readonly string[];
}

/**
 * `DNS` is rather `dns` than `dns_agent`, where there are both. A name that is nobody's fits those who have all its words:
 * `Cloud Security` is `cloud_security_principal_agent`.
 */
export function indexCollaborators(files: ReadonlyMap<string, AgentFile>): CollaboratorIndex {
  const forms = [keepLetters, simplifyName].map((form) => ({ form, ids: idsBy(form, files) }));
  let byWord: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  const findByWords = (name: string): readonly string[] => {
    byWord ??= idsByWord(files);
    const [first, ...others] = listWords(name).map((word) => byWord?.get(word) ?? new Set<string>());
    return first === undefined ? [] : [...first].filter((id) => others.every((ids) => ids.has(id)));
  };
  const find = (name: string) =>
    forms.map(({ form, ids }) => ids.get(form(name))).find((fitting) => fitting !== undefined) ?? findByWords(name);
  return { find: (name) => (files.has(name) ? [name] : find(name)) };
}

function idsBy(form: (name: string) => string, files: ReadonlyMap<string, AgentFile>): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const [id, file] of files) {
    for (const name of new Set([form(id), form(file.keys.name ?? id)])) ids.set(name, [...(ids.get(name) ?? []), id]);
  }
  return ids;
}

function idsByWord(files: ReadonlyMap<string, AgentFile>): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const [id, file] of files)
    for (const word of [...listWords(id), ...listWords(file.keys.name ?? "")])
      ids.set(word, (ids.get(word) ?? new Set()).add(id));
  return ids;
}

/** Words that many names have, and that tell nobody apart. */
const common: ReadonlySet<string> = new Set(["agent", "the", "and", "of"]);

function listWords(name: string): string[] {
  const words = name
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => word !== "" && !common.has(word));
}
