import { placeOfAgent } from "./agent-file.ts";
import type { CrewParts } from "./crew-parts.ts";
import { findEntry } from "./fields.ts";
import { type Path, placeOfKey } from "./locate.ts";
import type { Place } from "./source.ts";
import type { YamlNode } from "./yaml-node.ts";

/** A key of an agent's file, or of crew.yaml where no agent is named. */
export interface KeyOfCrew {
  readonly agent?: string;
  readonly keys: Path;
}

/** A line of a file, as it is written there. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Where a key stands, or what is nearest to where it would; undefined where there is no such file. */
export function locateKey(parts: CrewParts, key: KeyOfCrew, show: (file: string) => string): Position | undefined {
  const { source, span } = placeIn(parts, key) ?? {};
  if (source === undefined) return undefined;
  const { line, column } = source.position(span?.start ?? 0);
  return { file: show(source.file), line, column, text: source.lineAt(line).trim().replace(/^---$/, "") };
}

/** Whether a file has the key itself, and not only something around it. */
export function isKeySet({ crewFile, directory }: CrewParts, { agent, keys }: KeyOfCrew): boolean {
  let node: YamlNode | undefined = agent === undefined ? crewFile.root : directory.files.get(agent)?.root;
  for (const key of keys)
    node = typeof key === "string" ? findEntry(node, key)?.value : node?.kind === "list" ? node.items[key] : undefined;
  return node !== undefined;
}

function placeIn({ crewFile, directory }: CrewParts, { agent, keys }: KeyOfCrew): Place | undefined {
  if (agent === undefined) return crewFile.isImplied ? undefined : placeOfKey(crewFile, keys);
  const file = directory.files.get(agent);
  if (file === undefined) return undefined;
  const isWritten = keys[0] !== undefined && findEntry(file.root, String(keys[0])) !== undefined;
  if (isWritten) return placeOfKey(file, keys);
  // The prompt of a Markdown file is its body.
  const start = keys[0] === "system_prompt" ? file.source.text.lastIndexOf(file.prompt) : -1;
  return start > 0 ? { file: file.file, source: file.source, span: { start, end: start } } : placeOfAgent(file);
}
