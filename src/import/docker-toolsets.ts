import type { MapEntry, YamlNode } from "../definition/yaml-node.ts";
import { compact } from "./clean-keys.ts";
import type { Plain, PlainMap, PlannedStub } from "./crew-plan.ts";
import {
  type ForeignSource,
  findChild,
  listEntries,
  listNames,
  type Noter,
  scalarText,
  textAt,
} from "./foreign-source.ts";
import { shorten } from "./original-text.ts";
import { createSets, type PlannedSets, setProposals } from "./plan-tool-sets.ts";
import { hideSecrets, readReferences } from "./server-values.ts";

/** What the toolsets of a file become: servers of the crew, sets of Baton's own tools, and stubs. */
export interface DockerToolsets {
  readonly sets: PlannedSets;
  readonly servers: Record<string, PlainMap>;
  readonly stubs: PlannedStub[];
  /** What is in prompts besides: a toolset may say how to use it. */
  readonly remarks: Map<string, string[]>;
}

export function createToolsets(): DockerToolsets {
  const servers: Record<string, PlainMap> = {};
  return { servers, sets: createSets(() => false), stubs: [], remarks: new Map() };
}

/** The tools of an agent. Servers that several agents have are declared once. */
export function readToolsets(
  agent: MapEntry,
  list: MapEntry,
  file: ForeignSource,
  into: DockerToolsets,
  noter: Noter,
): string[] {
  const items = list.value.kind === "list" ? list.value.items : [];
  return items.flatMap((item): string[] => {
    const type = textAt(item, "type");
    const entry: MapEntry = { key: type ?? "toolset", keySpan: item.span, value: item };
    const instruction = textAt(item, "instruction");
    if (instruction !== undefined) into.remarks.set(agent.key, [...(into.remarks.get(agent.key) ?? []), instruction]);
    const own = readOwnTools(type, item, into);
    if (own !== undefined) {
      noter.map(entry, `${own.map((tool) => `\`${tool}\``).join(", ")} of \`${agent.key}\``);
      return [...own];
    }
    if (type === "mcp") return readServer(agent, entry, file, into, noter);
    if (type === "script" || type === "shell_script") return readScripts(agent, entry, into, noter);
    if (type === "api") return readApi(agent, entry, into, noter);
    noteBuiltIn(agent, entry, noter);
    return [];
  });
}

/** Toolsets that do what Baton's own tools do. */
function readOwnTools(
  type: string | undefined,
  item: YamlNode,
  { sets }: DockerToolsets,
): readonly string[] | undefined {
  if (type === "todo" || type === "tasks") return sets.use("todo", ["write", "read"]);
  if (type !== "filesystem") return undefined;
  const only = listNames(findChild(item, "tools"));
  const writes = only.length === 0 || only.some((tool) => /write|edit|create|move/.test(tool));
  return sets.use("files", ["read", "list", "grep", "glob", ...(writes ? ["write", "edit"] : [])]);
}

function readServer(
  agent: MapEntry,
  entry: MapEntry,
  { tree }: ForeignSource,
  into: DockerToolsets,
  noter: Noter,
): string[] {
  const { value } = entry;
  const ref = textAt(value, "ref");
  const defined = ref === undefined ? undefined : findChild(findChild(tree, "mcps"), ref);
  const server = describeServer(defined ?? value, ref, entry, agent, noter);
  if (server === undefined) return [];
  const wanted = textAt(value, "name") ?? (defined === undefined ? undefined : ref) ?? nameServer(server, ref);
  const name = declare(wanted, server, into.servers);
  noter.map(entry, `\`mcp_servers.${name}\` in crew.yaml, and \`tools\` of \`${agent.key}\``);
  const only = listNames(findChild(value, "tools"));
  return only.length === 0 ? [`${name}__*`] : only.map((tool) => `${name}__${tool}`);
}

function describeServer(
  node: YamlNode,
  ref: string | undefined,
  entry: MapEntry,
  agent: MapEntry,
  noter: Noter,
): PlainMap | undefined {
  const command = textAt(node, "command");
  const remote = findChild(node, "remote");
  const url = textAt(remote, "url") ?? textAt(node, "url");
  const onSecret = (name: string) =>
    noter.decide(
      entry,
      `the value of ${name} looks like a secret, and is not copied`,
      `set the variable ${name} where the crew runs`,
    );
  const values = (map: YamlNode | undefined) => hideSecrets(readReferences(map), onSecret);
  if (command !== undefined)
    return compact({ command, args: namesOfArgs(findChild(node, "args")), env: values(findChild(node, "env")) });
  if (url !== undefined && /^(?:https?:\/\/|\$\{)/.test(url)) {
    if (/^sse$/i.test(textAt(remote, "transport_type") ?? ""))
      noter.decide(
        entry,
        `the server of '${agent.key}' at ${url} speaks SSE, which Baton does not`,
        "use its address for streamable HTTP, if it has one",
      );
    return compact({ url, headers: values(findChild(remote, "headers") ?? findChild(node, "headers")) });
  }
  const [, gateway] = /^docker:([\w./-]+)$/.exec(ref ?? "") ?? [];
  if (gateway === undefined) {
    noter.decide(
      entry,
      `the MCP server of '${agent.key}' has neither a command nor an address`,
      "declare it under `mcp_servers` in crew.yaml",
    );
    return undefined;
  }
  noter.decide(
    entry,
    `the MCP server '${gateway}' comes from Docker's list of servers, and is started by Docker's gateway`,
    "install Docker's MCP toolkit, or write the server's own command under `mcp_servers`",
  );
  return { command: "docker", args: ["mcp", "gateway", "run", `--servers=${gateway}`] };
}

/** Arguments as they are written, empty ones too. */
function namesOfArgs(args: YamlNode | undefined): string[] {
  if (args?.kind !== "list") return listNames(args);
  return args.items.flatMap((item) =>
    item.kind === "scalar" ? String(typeof item.value === "string" ? item.value : item.written) : [],
  );
}

function nameServer({ command, args, url }: PlainMap, ref: string | undefined): string {
  if (ref !== undefined) return ref.replace(/^docker:/, "");
  if (typeof url === "string") return /^https?:\/\/(?:www\.|mcp\.)?([^./:]+)/.exec(url)?.[1] ?? "server";
  const list: readonly Plain[] = Array.isArray(args) ? args : [];
  const named = list.find(
    (each) => typeof each === "string" && /^@?[a-z][\w./@-]*$/i.test(each) && !["run", "exec", "mcp"].includes(each),
  );
  const runners = /^(?:npx|uvx|docker|node|python3?|bunx?|deno|uv|sh|bash|go)$/;
  const base = typeof command === "string" && !runners.test(command) ? command : named;
  return String(base ?? command ?? "server");
}

/** Declares a server under a free name, or finds it where it is declared already. */
function declare(wanted: string, server: PlainMap, servers: Record<string, PlainMap>): string {
  const last =
    wanted
      .replace(/@[\d.]+$|@latest$/, "")
      .split(/[/\\]/)
      .at(-1) ?? wanted;
  const plain =
    last
      .replace(/[^\w-]+/g, "-")
      .replace(/__+/g, "_")
      .replace(/^[-_]+|[-_]+$/g, "") || "server";
  const text = JSON.stringify(server);
  // Sets of Baton's own tools have these names.
  const safe = ["files", "todo", "shell", "web"].includes(plain) ? `${plain}-server` : plain;
  for (let count = 1; ; count++) {
    const name = count === 1 ? safe : `${safe}-${count}`;
    const known = servers[name];
    if (known === undefined) servers[name] = server;
    if (known === undefined || JSON.stringify(known) === text) return name;
  }
}

function readScripts(agent: MapEntry, entry: MapEntry, into: DockerToolsets, noter: Noter): string[] {
  const scripts = listEntries(findChild(entry.value, "shell") ?? findChild(entry.value, "scripts"));
  return scripts.map((script) => {
    const command = textAt(script.value, "cmd") ?? "";
    const description = textAt(script.value, "description");
    addStub({ name: script.key, ...(description !== undefined && { description }) }, into);
    noter.decide(
      script,
      `the tool '${script.key}' of '${agent.key}' is a command: ${shorten(command)}`,
      "let its stub in tools.ts run the command, if you trust it",
    );
    return script.key;
  });
}

function readApi(agent: MapEntry, entry: MapEntry, into: DockerToolsets, noter: Noter): string[] {
  const config = findChild(entry.value, "api_config");
  const name = textAt(config, "name");
  if (name === undefined) return [];
  const description = textAt(config, "instruction");
  addStub({ name, ...(description !== undefined && { description }) }, into);
  noter.decide(
    entry,
    `the tool '${name}' of '${agent.key}' calls ${textAt(config, "endpoint") ?? "an address"}`,
    "let its stub in tools.ts call it",
  );
  return [name];
}

function addStub(stub: PlannedStub, { stubs }: DockerToolsets): undefined {
  if (!stubs.some(({ name }) => name === stub.name)) stubs.push(stub);
}

/** What stands in for a toolset that is part of Docker Agent. */
const instead: Readonly<Record<string, string>> = {
  ...setProposals,
  fetch: setProposals["web"] ?? "",
  memory: "continue a conversation with `--conversation`, or give it an MCP server that remembers",
  user_prompt: "let it end with a signal that pauses, such as [WAIT], bound with `type: pause`",
  a2a: "give it a tool of your own that calls that agent",
  openapi: "save the API's description and declare it under `tools` in crew.yaml, `api: { openapi: ./api.yaml }`",
  rag: "give it a tool or an MCP server that searches the documents",
};

/** Toolsets that only help a model to think, which it does without them. */
const aids: ReadonlySet<string> = new Set([
  "think",
  "plan",
  "session_plan",
  "handoff",
  "transfer_task",
  "background_agents",
  "model_picker",
  "lsp",
]);

function noteBuiltIn(agent: MapEntry, entry: MapEntry, noter: Noter): undefined {
  const type = scalarText(findChild(entry.value, "type")) ?? "";
  const proposal = instead[type];
  if (proposal !== undefined)
    noter.decide(entry, `'${agent.key}' goes without the toolset \`${type}\`, which is part of Docker Agent`, proposal);
  else
    noter.idle(
      entry,
      aids.has(type)
        ? "part of Docker Agent, without a counterpart here"
        : "Docker Agent's, without a counterpart here",
    );
}
