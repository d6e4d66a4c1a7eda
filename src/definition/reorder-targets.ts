import { resolve } from "node:path";
import { type AgentFile, readAgentFile } from "./agent-file.ts";
import { type AgentDirectory, collectImpliedAgents, collectListedAgents } from "./collect-agents.ts";
import { readCrewFile } from "./crew-files.ts";
import { findEntry } from "./fields.ts";
import { findCrew, findProjectRoot } from "./find-crew.ts";
import { impliedCrewFile } from "./implied-crew.ts";
import type { LoadOptions } from "./loading.ts";
import { createProblemLog } from "./problem-log.ts";
import type { YamlNode } from "./yaml-node.ts";

/** A list of an agent's file in another order, and nothing else changed. */
export interface Reordering {
  readonly file: string;
  /** The key of the list. */
  readonly key: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The text of the file, and what it would be. */
  readonly before: string;
  readonly after: string;
}

/** Lists whose order says who comes first; the first that the agent has decides. */
const lists: readonly (readonly string[])[] = [
  ["handoff_targets"],
  ["router", "destinations"],
  ["router"],
  ["collaborations"],
];

/** Puts the agents that another may hand its work to into the given order; undefined where its file has no such list. */
export function reorderTargets(
  path: string,
  agent: string,
  order: readonly string[],
  options: Pick<LoadOptions, "root" | "workingDirectory">,
): Reordering | undefined {
  const directory = directoryAt(path, options);
  const file = directory?.files.get(agent);
  if (directory === undefined || file === undefined) return undefined;
  for (const keys of lists) {
    const found = reorder(file, directory, keys, order);
    if (found !== undefined) return found;
  }
  return undefined;
}

function directoryAt(
  path: string,
  { root, workingDirectory }: Pick<LoadOptions, "root" | "workingDirectory">,
): AgentDirectory | undefined {
  const full = resolve(workingDirectory, path);
  const found = findCrew(full);
  if (found.type === "nothing") return undefined;
  const inside = resolve(workingDirectory, root ?? findProjectRoot(full, workingDirectory));
  const scope = { root: inside, variables: {} };
  const log = createProblemLog();
  if (found.type === "crew") {
    const crewFile = readCrewFile(found.file, inside, log, false);
    return crewFile && collectListedAgents(crewFile, scope);
  }
  const reporter = log.reporter(false);
  const agents = (found.type === "agent" ? [found.file] : found.files).flatMap(
    (file) => readAgentFile(file, { ...scope, reporter, isLone: true }) ?? [],
  );
  return collectImpliedAgents(impliedCrewFile("agents", agents, resolve(full, ".."), reporter), agents, scope);
}

function reorder(
  file: AgentFile,
  directory: AgentDirectory,
  keys: readonly string[],
  order: readonly string[],
): Reordering | undefined {
  let node: YamlNode | undefined = file.root;
  for (const key of keys) node = findEntry(node, key)?.value;
  if (node?.kind !== "list" || node.items.length < 2) return undefined;
  const named = node.items.map((item) => ({ item, id: readId(item, file, directory) }));
  const findRank = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length);
  const sorted = named.toSorted((a, b) => findRank(a.id) - findRank(b.id));
  const { text } = file.source;
  let after = text;
  // From the end, so that what stands before stays where it is.
  for (const [index, { item }] of [...named.entries()].reverse()) {
    const { start } = item.span;
    const written = writtenAs(sorted[index]?.item ?? item, text);
    after = after.slice(0, start) + written + after.slice(start + writtenAs(item, text).length);
  }
  const ids = (each: readonly { readonly id: string }[]) => each.map(({ id }) => id);
  return { file: file.file, key: keys.join("."), from: ids(named), to: ids(sorted), before: text, after };
}

/** What stands in the file for an item, without the line that it ends with. */
function writtenAs({ span }: YamlNode, text: string): string {
  return text.slice(span.start, span.end).trimEnd();
}

/** The agent that an item of a list names: as it is, or under `agent`. */
function readId(item: YamlNode, file: AgentFile, directory: AgentDirectory): string {
  const name = item.kind === "map" ? findEntry(item, "agent")?.value : item;
  const written = name?.kind === "scalar" ? String(name.value) : "";
  return directory.resolve(written, file) ?? written;
}
