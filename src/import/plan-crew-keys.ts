import { relative } from "node:path";
import type { CrewParts } from "../definition/crew-parts.ts";
import { behaviorShape, bindingShape } from "../definition/crew-shape.ts";
import { findEntry } from "../definition/fields.ts";
import type { Crew, McpServer } from "../vocabulary/crew.ts";
import { compact, toMap, toWritten, withoutDefaults } from "./clean-keys.ts";
import type { Plain, PlainMap } from "./crew-plan.ts";

/** A crew that a crew.yaml declares, in the keys of ours. What names nobody is left out. */
export function planListedCrew(crew: Crew, parts: CrewParts, subCrews: ReadonlyMap<string, string>): PlainMap {
  const { crewFile } = parts;
  const { keys } = crewFile;
  const agents = crew.listed;
  const entry = crew.entryPoint.type === "auto" ? "auto" : crew.entryPoint.agent;
  const sub = [...keys.sub_crews].flatMap(([name, each]): [string, Plain][] => {
    const config_path = subCrews.get(name);
    return config_path === undefined ? [] : [[name, { ...toMap(toWritten(each)), config_path }]];
  });
  const tools = [...crew.tools].map(([name, { file, exportName }]) => [name, { file, exportName }] as const);
  return compact({
    version: "2.0",
    name: keys.name ?? crew.name,
    description: toWritten(keys.description),
    entry_point: keys.entry_point === undefined ? undefined : entry,
    agents,
    models: keys.models,
    signals: toWritten(keys.signals),
    routing: planRouting(crew, parts),
    sub_crews: Object.fromEntries(sub),
    settings: planSettings(parts),
    tools: Object.fromEntries(
      tools.map(([name, { file, exportName }]) => [name, `${relative(crewFile.folder, file)}#${exportName}`]),
    ),
    mcp_servers: planServers(crew.mcpServers),
  });
}

/** The crew that agents' files form without a crew.yaml. */
export function planImpliedCrew(name: string, crew: Crew, parts: CrewParts): PlainMap {
  const entry = crew.entryPoint.type === "auto" ? "auto" : crew.entryPoint.agent;
  const routing = parts.crewFile.keys.routing;
  const behaviors = [...(routing?.agent_behaviors ?? [])].map(([id, each]) => [
    id,
    withoutDefaults(each, behaviorShape.absent),
  ]);
  return compact({
    version: "2.0",
    name,
    entry_point: entry,
    agents: [...crew.agents.keys()],
    routing: compact({ agent_behaviors: compact(Object.fromEntries(behaviors)) }),
    // Without a crew.yaml an answer without a signal ends the run.
    settings: { on_no_signal: "stop" },
    mcp_servers: planServers(crew.mcpServers),
  });
}

function planRouting(crew: Crew, { crewFile }: CrewParts): PlainMap | undefined {
  const routing = crewFile.keys.routing;
  if (routing === undefined) return undefined;
  const isThere = (id: string) => crew.agents.has(id);
  const signals = [...routing.signals].flatMap(([id, bindings]): [string, Plain][] =>
    isThere(id) ? [[id, bindings.map((each) => withoutDefaults(each, bindingShape.absent))]] : [],
  );
  const behaviors = [...routing.agent_behaviors].flatMap(([id, each]): [string, Plain][] => {
    // Their origin never read it, where a gate would hold every run here.
    const { auto_route: _, ...others } = each;
    const kept = crewFile.keys.version === "1.0" ? others : each;
    return isThere(id) ? [[id, withoutDefaults(kept, behaviorShape.absent)]] : [];
  });
  return compact({
    signals: Object.fromEntries(signals),
    defaults: toWritten(new Map([...routing.defaults].filter(([id]) => isThere(id)))),
    agent_behaviors: compact(Object.fromEntries(behaviors)),
    parallel_groups: toWritten(routing.parallel_groups),
  });
}

/** The settings that the file has; in files of version 1.0 signals stay in what people read. */
function planSettings({ crewFile }: CrewParts): PlainMap {
  const { settings, version } = crewFile.keys;
  const node = findEntry(crewFile.root, "settings")?.value;
  const given = Object.entries(settings ?? {}).flatMap(([key, value]): [string, Plain | undefined][] =>
    findEntry(node, key) === undefined ? [] : [[key, toWritten(value)]],
  );
  const kept = Object.fromEntries(given);
  return compact(version === "1.0" ? { strip_signals: "none", ...kept } : kept);
}

function planServers(servers: ReadonlyMap<string, McpServer>): PlainMap {
  return Object.fromEntries(
    [...servers].map(([name, server]) => [
      name,
      server.type === "stdio"
        ? compact({ command: server.command, args: server.args, env: server.env })
        : compact({ url: server.url, headers: server.headers }),
    ]),
  );
}
