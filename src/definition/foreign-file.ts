import { findEntry } from "./fields.ts";
import type { MapNode, YamlNode } from "./yaml-node.ts";

/** A file that is not an agent: what it looks like, and what to do with it. */
export interface ForeignFile {
  readonly looksLike: string;
  /** Replies for `--script` may lie among agents; they are left out. */
  readonly isReplies: boolean;
}

/** What a file without a prompt looks like where most of its keys mean nothing to an agent; undefined where it may be an agent. */
export function recognizeForeign(root: MapNode, known: ReadonlySet<string>): ForeignFile | undefined {
  const unknown = root.entries.filter(({ key }) => !known.has(key));
  if (has(root, "system_prompt")) return undefined;
  const values = root.entries.map(({ value }) => value);
  const isMostlyUnknown = unknown.length * 2 > root.entries.length;
  const found = foreignSystems.find(({ fits }) => fits(root, values));
  if (!isMostlyUnknown && !found?.isCertain) return undefined;
  if (values.every(isReplies))
    return { looksLike: "a file of replies; give it to 'baton run' with --script", isReplies: true };
  if (looksLikeCrew(root)) return { looksLike: "a crew's file; give its path to run it", isReplies: false };
  const system = found?.name;
  const looksLike =
    system === undefined
      ? `no agent: most of its keys are unknown (${root.entries
          .slice(0, SHOWN)
          .map(({ key }) => key)
          .join(", ")}), and it has no prompt`
      : `${system}${found?.isImported ? "; 'baton import' writes a crew out of it" : ", which Baton does not read; write its agents as files of their own"}`;
  return { looksLike, isReplies: false };
}

/** As many keys as show what kind of file it is. */
const SHOWN = 4;

const foreignSystems: readonly {
  readonly name: string;
  readonly fits: (root: MapNode, values: readonly YamlNode[]) => boolean;
  /** Whether no agent can look like this, however many of its keys are known. */
  readonly isCertain?: true;
  readonly isImported?: true;
}[] = [
  {
    name: "a file of CrewAI's agents",
    fits: (_, values) => values.some((each) => has(each, "goal", "backstory")),
    isImported: true,
  },
  {
    name: "a file of CrewAI's tasks",
    fits: (_, values) => values.some((each) => has(each, "expected_output")),
    isImported: true,
  },
  {
    name: "a component of AutoGen",
    fits: (root) => has(root, "provider", "config") && (has(root, "component_type") || has(root, "component_version")),
    isImported: true,
    isCertain: true,
  },
  {
    name: "a Docker Agent file",
    fits: (root) =>
      listValues(findEntry(root, "agents")?.value).some((each) =>
        ["instruction", "model", "toolsets", "sub_agents"].some((key) => has(each, key)),
      ),
    isCertain: true,
    isImported: true,
  },
  { name: "a Docker Compose file", fits: (root) => has(root, "services") },
  { name: "a Kubernetes file", fits: (root) => has(root, "apiVersion", "kind") },
  { name: "a workflow", fits: (root) => ["jobs", "steps", "nodes", "workflow"].some((key) => has(root, key)) },
];

/** Whether a file lists agents, and says of them what only a crew does. */
export function looksLikeCrew(root: MapNode): boolean {
  const keys = ["version", "entry_point", "routing", "settings", "sub_crews"];
  return findEntry(root, "agents")?.value.kind === "list" && keys.some((key) => has(root, key));
}

function isReplies(node: YamlNode): boolean {
  if (node.kind !== "list" || node.items.length === 0) return false;
  return node.items.every((item) => item.kind === "scalar" || ["text", "tools", "error"].some((key) => has(item, key)));
}

function has(node: YamlNode, ...keys: readonly string[]): boolean {
  return keys.every((key) => findEntry(node, key) !== undefined);
}

function listValues(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "map" ? node.entries.map(({ value }) => value) : [];
}
