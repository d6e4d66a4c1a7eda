import type { MapEntry } from "../definition/yaml-node.ts";
import { toPlain } from "../definition/yaml-node.ts";
import { breakCircles } from "./break-circles.ts";
import { compact } from "./clean-keys.ts";
import { createNotes, type ImportPlan, type Plain, type PlainMap, type PlannedAgent } from "./crew-plan.ts";
import { readDockerModels } from "./docker-models.ts";
import { createToolsets, type DockerToolsets, readToolsets } from "./docker-toolsets.ts";
import {
  createNoter,
  type ForeignSource,
  findChild,
  isTrue,
  listEntries,
  listNames,
  type Noter,
  oneLine,
  scalarNumber,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { locateSpan } from "./original-text.ts";

/** What of a file has been read so far. */
interface Scope {
  readonly file: ForeignSource;
  readonly noter: Noter;
  readonly ids: ReadonlySet<string>;
  readonly toolsets: DockerToolsets;
  readonly modelKeys: (agent: MapEntry) => PlainMap;
}

/** A crew out of a file of Docker Agent (cagent): `root` begins, `sub_agents` are called, `handoffs` take over. */
export function planDockerAgent(name: string, file: ForeignSource): ImportPlan {
  const notes = createNotes();
  const noter = createNoter(file, notes);
  const entries = listAgents(file);
  const models = readDockerModels(file, noter);
  const ids = new Set(entries.map(({ key }) => key));
  const toolsets = createToolsets();
  const scope: Scope = { file, noter, ids, toolsets, modelKeys: (agent) => models.keysOf(agent, noter) };
  const agents = breakCircles(
    entries.map((entry) => planAgent(entry, scope)),
    noter,
    entries,
  );
  const entry = ids.has("root") ? "root" : entries[0]?.key;
  for (const each of file.tree.entries) noteTop(each, noter);
  noteUnreached(entry, agents, entries, noter);
  const said = toolsets.sets.describe();
  const [first] = entries;
  if (said !== undefined && first !== undefined) noter.decide(first, said.what, said.proposal);
  const keys = compact({
    version: "2.0",
    name,
    description: oneLine(textAt(findChild(file.tree, "metadata"), "description")),
    entry_point: entry,
    agents: agents.map(({ id }) => id),
    settings: { on_no_signal: "stop" },
    tools: toolsets.sets.list(),
    mcp_servers: toolsets.servers,
  });
  return {
    kind: "docker-agent",
    name,
    crews: [{ folder: "", keys, agents, stubs: toolsets.stubs }],
    notes,
    sources: [file.file],
  };
}

/** Agents by name; in some files they stand in a list. */
function listAgents({ tree }: ForeignSource): MapEntry[] {
  const agents = findChild(tree, "agents");
  if (agents?.kind !== "list") return listEntries(agents).filter(({ value }) => value.kind === "map");
  return agents.items.flatMap((item, index): MapEntry[] =>
    item.kind === "map" ? [{ key: textAt(item, "name") ?? `agent-${index + 1}`, keySpan: item.span, value: item }] : [],
  );
}

function planAgent(entry: MapEntry, scope: Scope): PlannedAgent {
  const { file, toolsets, noter } = scope;
  const keys: Record<string, Plain | undefined> = {};
  const closing: string[] = [];
  for (const each of listEntries(entry.value)) readKey(each, entry, keys, closing, scope);
  const models = scope.modelKeys(entry);
  const prompt = [textAt(entry.value, "instruction"), ...closing, ...(toolsets.remarks.get(entry.key) ?? [])];
  if (prompt[0] === undefined) noter.decide(entry, `'${entry.key}' has no instruction`, "write its prompt");
  const { description, ...others } = keys;
  const text = prompt.filter((part) => part !== undefined).join("\n\n");
  return {
    id: entry.key,
    keys: compact({ description, ...models, ...others }),
    prompt: text,
    from: locateSpan(file.source, entry.keySpan),
  };
}

function readKey(
  each: MapEntry,
  agent: MapEntry,
  keys: Record<string, Plain | undefined>,
  closing: string[],
  scope: Scope,
): undefined {
  const { noter, ids } = scope;
  const { key, value } = each;
  switch (key) {
    case "model":
    case "fallback":
    case "name":
      return;
    case "description":
      keys["description"] = scalarText(value);
      return noter.map(each, `\`description\` of \`${agent.key}\``);
    case "instruction":
      return noter.map(each, `the prompt of \`${agent.key}\``);
    case "sub_agents":
      keys["agents"] = readNames(each, ids, agent, noter);
      return noter.map(each, `\`agents\` of \`${agent.key}\`, which it calls`);
    case "handoffs":
      keys["collaborations"] = readNames(each, ids, agent, noter);
      return noter.map(each, `\`collaborations\` of \`${agent.key}\`, which take over`);
    case "toolsets":
      keys["tools"] = [...new Set(readToolsets(agent, each, scope.file, scope.toolsets, noter))];
      return;
    case "structured_output":
      return readOutput(each, agent, keys, noter);
    case "max_iterations": {
      const turns = scalarNumber(value) ?? 0;
      if (turns < 1) return noter.idle(each, "it sets no limit; `max_turns` is 10 here");
      keys["max_turns"] = Math.floor(turns);
      return noter.map(each, `\`max_turns\` of \`${agent.key}\``);
    }
    case "add_date":
      if (isTrue(value)) closing.push("Today is {{DATE}}.");
      return isTrue(value)
        ? noter.map(each, "a line of the prompt with {{DATE}}")
        : noter.idle(each, "it is what holds without it");
    case "add_environment_info":
      if (isTrue(value)) closing.push("You run on {{OS}} ({{ARCH}}).");
      return isTrue(value)
        ? noter.map(each, "a line of the prompt with {{OS}} and {{ARCH}}")
        : noter.idle(each, "it is what holds without it");
    default:
      return noteOther(each, agent, noter);
  }
}

const proposals: ReadonlyMap<string, string> = new Map([
  ["rag", "give it a tool or an MCP server that searches the documents"],
  ["add_prompt_files", "copy what those files say into the prompt"],
  ["skills", "copy what the skills say into the prompt"],
  ["hooks", "watch the run's events in code: `crew.stream(input)`"],
  ["commands", "give the text of a command as the input of a run"],
]);

function noteOther(each: MapEntry, agent: MapEntry, noter: Noter): undefined {
  const proposal = proposals.get(each.key);
  if (proposal === undefined) noter.idle(each, "Docker Agent's, without a counterpart here");
  else noter.decide(each, `\`${each.key}\` of '${agent.key}' has no counterpart here`, proposal);
}

/** The agents of the file that are named; others are files, or in a registry. */
function readNames(each: MapEntry, ids: ReadonlySet<string>, agent: MapEntry, noter: Noter): string[] {
  return [...new Set(listNames(each.value))].filter((name) => {
    if (name === agent.key) return false;
    if (ids.has(name)) return true;
    noter.decide(
      each,
      `'${name}', which is named under \`${each.key}\` of '${agent.key}', is not an agent of this file, and is left out`,
      "import its file too, and copy its agent into this crew",
    );
    return false;
  });
}

function readOutput(each: MapEntry, agent: MapEntry, keys: Record<string, Plain | undefined>, noter: Noter): undefined {
  const schema = findChild(each.value, "schema");
  if (schema?.kind !== "map")
    return noter.decide(
      each,
      `the structured output of '${agent.key}' has no schema`,
      "write one under `output: { schema }`",
    );
  keys["output"] = { format: "json", schema: toPlain(schema) as Plain };
  noter.map(each, `\`output\` of \`${agent.key}\``);
}

function noteTop(each: MapEntry, noter: Noter): undefined {
  const { key } = each;
  if (["agents", "models", "providers", "mcps", "version"].includes(key)) return;
  if (key === "rag") noter.decide(each, "sources of documents have no counterpart here", proposals.get("rag") ?? "");
  else if (key === "permissions")
    noter.decide(
      each,
      "rules allow and deny commands and tools there",
      "give a tool `needsApproval: true`, so that a person approves its calls",
    );
  else noter.idle(each, key === "metadata" ? "it describes the file" : "Docker Agent's, without a counterpart here");
}

/** Says which agents nothing leads to: they are run by their name there. */
function noteUnreached(
  first: string | undefined,
  agents: readonly PlannedAgent[],
  entries: readonly MapEntry[],
  noter: Noter,
): undefined {
  const reached = new Set(first === undefined ? [] : [first]);
  for (const id of reached)
    for (const key of ["agents", "collaborations"]) {
      const named = agents.find((agent) => agent.id === id)?.keys[key];
      for (const each of Array.isArray(named) ? named : []) if (typeof each === "string") reached.add(each);
    }
  for (const entry of entries)
    if (!reached.has(entry.key))
      noter.decide(
        entry,
        `nothing leads from '${first}' to '${entry.key}'`,
        `run it by itself, or name it under \`agents\` of '${first}'`,
      );
}
