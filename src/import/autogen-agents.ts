import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import { compact } from "./clean-keys.ts";
import type { PlainMap, PlannedAgent, PlannedStub } from "./crew-plan.ts";
import {
  type ForeignSource,
  findChild,
  listEntries,
  listNames,
  type Noter,
  scalarNumber,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { nameFile } from "./name-files.ts";
import { locateSpan } from "./original-text.ts";
import { joinModel } from "./read-model.ts";
import { hideSecrets, readReferences } from "./server-values.ts";

/** What a team's parts become besides agents. */
export interface AutogenParts {
  readonly servers: Record<string, PlainMap>;
  readonly stubs: PlannedStub[];
  /** The file's names of agents, by their ids. */
  readonly ids: Map<string, string>;
}

/** The last part of where a component's code lives: `RoundRobinGroupChat`. */
export function readClass(node: YamlNode | undefined): string {
  return (textAt(node, "provider") ?? "").split(".").at(-1) ?? "";
}

export function readConfig(node: YamlNode | undefined): YamlNode | undefined {
  return findChild(node, "config");
}

/** A component as an entry that notes can be placed at. */
export function makeEntry(node: YamlNode): MapEntry {
  return { key: textAt(readConfig(node), "name") ?? readClass(node), keySpan: node.span, value: node };
}

export function readAutogenAgent(
  node: YamlNode,
  file: ForeignSource,
  parts: AutogenParts,
  noter: Noter,
  taken: Set<string>,
): PlannedAgent {
  const entry = makeEntry(node);
  const config = readConfig(node);
  const id = nameFile(entry.key, taken);
  parts.ids.set(entry.key, id);
  const tools = [
    ...readTools(entry, findChild(config, "tools"), parts, noter),
    ...readWorkbenches(entry, findChild(config, "workbench"), parts, noter),
  ];
  const kind = readClass(node);
  if (kind !== "AssistantAgent")
    noter.decide(
      entry,
      `'${entry.key}' is a ${kind}, which does more than answer with a model`,
      "write its prompt, and give it the tools that it needs",
    );
  for (const each of listEntries(config)) noteKey(each, entry, noter);
  const turns = scalarNumber(findChild(config, "max_tool_iterations"));
  const keys = compact({
    description: textAt(config, "description"),
    ...readAutogenModel(entry, findChild(config, "model_client"), noter),
    tools: [...new Set(tools)],
    // One turn more than calls of tools: the last one answers.
    max_turns: turns === undefined || turns < 2 ? undefined : Math.floor(turns) + 1,
  });
  return { id, keys, prompt: textAt(config, "system_message") ?? "", from: locateSpan(file.source, node.span) };
}

const known: ReadonlyMap<string, string> = new Map([
  ["name", "its id"],
  ["description", "`description`"],
  ["system_message", "its prompt"],
  ["handoffs", "`collaborations`"],
  ["max_tool_iterations", "`max_turns`"],
]);

function noteKey(each: MapEntry, agent: MapEntry, noter: Noter): void {
  const is = known.get(each.key);
  if (["tools", "workbench", "model_client"].includes(each.key)) return;
  if (is !== undefined) noter.map(each, `${is} (${agent.key})`);
  else if (each.key === "memory" && each.value.kind === "list" && each.value.items.length > 0)
    noter.decide(
      each,
      `the memory of '${agent.key}' lives in Python`,
      "continue a conversation with `--conversation`, or give it an MCP server that remembers",
    );
  else noter.idle(each, "AutoGen's, without a counterpart here");
}

/** The names under which AutoGen reaches providers. */
const providers: readonly (readonly [begins: RegExp, provider: string])[] = [
  [/^OpenAI/, "openai"],
  [/^AzureOpenAI/, "azure"],
  [/^Anthropic/, "anthropic"],
  [/^Ollama/, "ollama"],
  [/^Gemini|^Google/, "google"],
];

/** The model of a client. Its key is not copied. */
export function readAutogenModel(entry: MapEntry, client: YamlNode | undefined, noter: Noter): PlainMap {
  if (client === undefined) return {};
  const config = readConfig(client);
  const [, provider] = providers.find(([begins]) => begins.test(readClass(client))) ?? [];
  const model = textAt(config, "model");
  const name = provider === undefined ? undefined : joinModel(provider, model);
  if (findChild(config, "api_key") !== undefined)
    noter.idle(
      { ...entry, key: "api_key", value: { kind: "scalar", value: "…", written: "…", span: entry.keySpan } },
      "keys are read from the environment",
    );
  if (name === undefined || provider === undefined) {
    noter.decide(
      entry,
      `the model '${model ?? ""}' of '${entry.key}' is reached by ${readClass(client) || "nothing"}`,
      "write provider/model under `models`, such as openai/gpt-5",
    );
    return {};
  }
  noter.map({ ...entry, key: "model_client", value: client }, `\`models\` of ${entry.key}`);
  const url = textAt(config, "base_url");
  const temperature = scalarNumber(findChild(config, "temperature"));
  const sampling = { temperature: temperature !== undefined && temperature >= 0 ? temperature : undefined };
  const isAddress = url !== undefined && /^https?:\/\//.test(url);
  return compact(
    isAddress
      ? { primary: { model: model ?? "", provider, provider_url: url }, ...sampling }
      : { models: [name], ...sampling },
  );
}

/** Functions in Python become stubs. */
function readTools(agent: MapEntry, tools: YamlNode | undefined, { stubs }: AutogenParts, noter: Noter): string[] {
  const items = tools?.kind === "list" ? tools.items : [];
  return items.flatMap((item) => {
    const config = readConfig(item);
    const name = textAt(config, "name") ?? textAt(item, "label") ?? scalarText(item);
    if (name === undefined) return [];
    const description = textAt(config, "description");
    if (!stubs.some((each) => each.name === name))
      stubs.push({ name, ...(description !== undefined && { description }) });
    noter.decide(
      makeEntry(item),
      `the tool '${name}' of '${agent.key}' is Python code`,
      "write what it does in tools.ts",
    );
    return name;
  });
}

/** A workbench is an MCP server, or a list of tools. */
function readWorkbenches(agent: MapEntry, node: YamlNode | undefined, parts: AutogenParts, noter: Noter): string[] {
  const benches = node?.kind === "list" ? node.items : node?.kind === "map" ? [node] : [];
  return benches.flatMap((bench) => {
    const server = findChild(readConfig(bench), "server_params");
    if (server === undefined) return readTools(agent, findChild(readConfig(bench), "tools"), parts, noter);
    const onSecret = (name: string) =>
      noter.decide(
        makeEntry(bench),
        `the value of ${name} looks like a secret, and is not copied`,
        `set the variable ${name} where the crew runs`,
      );
    const values = (key: string) => hideSecrets(readReferences(findChild(server, key)), onSecret);
    const url = textAt(server, "url");
    const command = textAt(server, "command");
    if (url === undefined && command === undefined) return [];
    const keys =
      command === undefined
        ? compact({ url, headers: values("headers") })
        : compact({ command, args: listNames(findChild(server, "args")), env: values("env") });
    const name = `${agent.key.replace(/[^\w-]+/g, "-").replace(/__+/g, "_")}-server`;
    parts.servers[name] = keys;
    noter.map({ ...makeEntry(bench), key: "server_params", value: server }, `\`mcp_servers.${name}\` in crew.yaml`);
    return [`${name}__*`];
  });
}
