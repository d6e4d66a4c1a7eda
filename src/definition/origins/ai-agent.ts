import { dirname, resolve } from "node:path";
import type { AgentReading } from "../agent-reading.ts";
import { findEntry } from "../fields.ts";
import { parseYaml } from "../parse-yaml.ts";
import { readText } from "../read-text.ts";
import { type Reading, reportAt } from "../shape.ts";
import { createSource, type Source } from "../source.ts";
import type { MapEntry, MapNode, YamlNode } from "../yaml-node.ts";
import { changeEntries, changeMap, isEmpty } from "./edit-map.ts";
import type { Origin } from "./origin.ts";
import { resolveIncludes } from "./resolve-includes.ts";
import { splitCommas } from "./split-commas.ts";

const noCounterpart: ReadonlySet<string> = new Set([
  ...["cache", "caching", "repeatPenalty", "plugins", "toolOutput", "routerDestinations", "reasoningTokens", "stream"],
  ...["maxConcurrentTools", "parallelToolCalls", "traceLLM", "traceMCP", "verbose", "contextWindow"],
]);

/** Names that a run fills in when it begins, since they are others each time. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  ...["DATETIME", "TIMESTAMP", "DATE", "TIME", "DAY", "TIMEZONE"],
  ...["OS", "ARCH", "KERNEL"],
]);

export const aiAgent: Origin = {
  name: "ai-agent",
  isIdle: (key) => noCounterpart.has(key),
  whyIdle: "ai-agent's, without a counterpart here",
  nameTool: (tool, isServer) => (isServer(tool) ? `${tool}__*` : tool),
  absentTools: {
    code: "unknown-tool",
    explain: (names) =>
      `these tools are declared nowhere: ${names}; in ai-agent a tool is an MCP server with all its tools: declare it in a .mcp.json beside the file or above, or try the agents without them by --stub-tools`,
  },
};

/** Names that go without brackets, separated by commas. */
const lists: ReadonlySet<string> = new Set(["models", "tools", "agents", "advisors", "specialties", "destinations"]);
/** A number, or a word that says that none is sent. */
const numbers: ReadonlySet<string> = new Set(["temperature", "topP", "top_p", "topK", "top_k", "maxOutputTokens"]);
const notSent: readonly unknown[] = ["none", "null", "off", "unset", "default"];
const names = new Map([
  ["maxToolTurns", "max_turns"],
  ["toolResponseMaxBytes", "max_tool_output_chars"],
  ["toolName", "id"],
]);

/** An agent's file as ai-agent reads it, in our keys. */
export function readAiAgent(tree: MapNode, reading: Reading, scope: AgentReading): MapNode {
  const renamed = changeEntries(tree, (entry) => {
    if (isUnsent(entry)) return [];
    const name = names.get(entry.key);
    const isFree = name !== undefined && findEntry(tree, name) === undefined;
    return { ...entry, key: isFree ? name : entry.key, value: readValue(entry, scope) };
  });
  const routed = changeMap(renamed, "router", (router) =>
    changeEntries(router, (entry) => ({ ...entry, value: readValue(entry, scope) })),
  );
  const contract = (map: MapNode) => readContract(map, reading, scope);
  return changeMap(changeMap(routed, "input", contract), "output", contract);
}

/** The prompt of a file, with what it includes and what `${NAME}` stands for. */
export function readAiPrompt(source: Source, start: number, tree: MapNode, scope: AgentReading): string {
  const format = findEntry(findEntry(tree, "output")?.value, "format")?.value;
  const turns = findEntry(tree, "max_turns")?.value;
  const calls = findEntry(tree, "max_tool_calls_per_turn")?.value;
  const known = new Map([
    ["FORMAT", scalarWord(format) ?? "markdown"],
    ["MAX_TURNS", scalarWord(turns) ?? "10"],
    ["MAX_TOOLS", scalarWord(calls) ?? "10"],
    ...Object.entries(scope.variables),
  ]);
  return fillPrompt(resolveIncludes(source, start, scope), known);
}

function scalarWord(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && node.value !== null ? String(node.value) : undefined;
}

function isUnsent({ key, value }: MapEntry): boolean {
  if (value.kind !== "scalar") return false;
  const word = typeof value.value === "string" ? value.value.toLowerCase() : value.value;
  return numbers.has(key) ? notSent.includes(word) : key === "reasoning" && (word === "unset" || word === "default");
}

function readValue({ key, value }: MapEntry, scope: AgentReading): YamlNode {
  const list = lists.has(key) ? splitCommas(value) : value;
  if (key === "models" && list.kind === "list")
    return { ...list, items: list.items.map((each) => fillModel(each, scope)) };
  if (key === "handoff" && list.kind === "list" && list.items.length === 1) return list.items[0] ?? list;
  return list;
}

/** `${NAME}` in a model's name, where the project lets it be read. */
function fillModel(model: YamlNode, { variables }: AgentReading): YamlNode {
  if (model.kind !== "scalar" || typeof model.value !== "string") return model;
  const value = fillPrompt(model.value, new Map(Object.entries(variables)));
  return { ...model, value };
}

/** A schema may stand in a file of its own, or as text. */
function readContract(contract: MapNode, reading: Reading, scope: AgentReading): MapNode {
  const schema = findEntry(contract, "schema");
  const ref = findEntry(contract, "schemaRef");
  return changeEntries(contract, (entry) => {
    if (entry === ref) {
      const read = schema === undefined && !isEmpty(ref.value) ? readSchemaFile(ref, reading, scope) : undefined;
      return read === undefined ? [] : { ...entry, key: "schema", value: read };
    }
    if (entry.key === "format" && entry.value.kind === "scalar" && typeof entry.value.value === "string")
      return { ...entry, value: { ...entry.value, value: entry.value.value.toLowerCase() } };
    if (entry !== schema || entry.value.kind !== "scalar" || typeof entry.value.value !== "string") return entry;
    const text = createSource(reading.source.file, entry.value.value);
    const read = parseYaml(text, { start: 0, end: text.text.length }, reading.reporter);
    return read === undefined ? [] : { ...entry, value: moveTo(read, entry.value) };
  });
}

function readSchemaFile(ref: MapEntry, reading: Reading, scope: AgentReading): YamlNode | undefined {
  const name = scalarWord(ref.value) ?? "";
  const file = resolve(dirname(reading.source.file), name);
  const result = readText(file, scope.root);
  if ("problem" in result) {
    reportAt(reading, result.problem.code, ref.value.span, `the schema '${name}' ${result.problem.message}`);
    return undefined;
  }
  const source = createSource(file, result.text);
  const read = parseYaml(source, { start: 0, end: result.text.length }, reading.reporter);
  return read && moveTo(read, ref.value);
}

/** What was read from elsewhere, placed where the file refers to it. */
function moveTo(node: YamlNode, { span }: YamlNode): YamlNode {
  if (node.kind === "scalar") return { ...node, span };
  if (node.kind === "list") return { ...node, span, items: node.items.map((item) => moveTo(item, { ...node, span })) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    keySpan: span,
    value: moveTo(entry.value, { ...node, span }),
  }));
  return { ...node, span, entries };
}

/** What `${NAME}` stands for in the prompts of ai-agent: what the agent is, what the environment has, and what only a run knows. */
function fillPrompt(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{([A-Z][A-Z0-9_]{0,63})\}/g, (whole, name: string) =>
    OF_THE_RUN.has(name) ? `{{${name}}}` : (known.get(name) ?? whole),
  );
}
