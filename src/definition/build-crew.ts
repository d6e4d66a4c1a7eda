import { dirname, resolve } from "node:path";
import type {
  Agent,
  Behavior,
  Crew,
  EntryPoint,
  Group,
  McpServer,
  Model,
  Signal,
  SubCrew,
  ToolModule,
} from "../crew.ts";
import { defaultPriority } from "../signals/signal-definition.ts";
import type { SignalWorld } from "../signals/validate-signals.ts";
import { buildAgent } from "./build-agent.ts";
import { buildBindings } from "./build-bindings.ts";
import { buildSettings, inMs, settingsKeys } from "./build-settings.ts";
import type { CrewFile } from "./crew-files.ts";
import type { CrewParts } from "./crew-parts.ts";
import { parseModel } from "./parse-model.ts";

/** Puts a crew together from its files. What does not fit is left out; the checks have said why. */
export function buildCrew(parts: CrewParts, subCrews: ReadonlyMap<string, SubCrew>): Crew {
  const { crewFile, directory, world } = parts;
  const { keys } = crewFile;
  const routing = keys.routing;
  const models = keys.models.flatMap((name) => parseModel(name) ?? []);
  const bindings = buildBindings(routing?.signals ?? new Map(), {
    world,
    listed: directory.listed,
    settings: settingsKeys(crewFile),
  });
  return {
    name: keys.name ?? "crew",
    ...(keys.description !== undefined && { description: keys.description }),
    entryPoint: buildEntryPoint(parts),
    agents: new Map([...directory.files].map(([id]) => [id, buildAgentOf(parts, id, models)] as const).filter(isBuilt)),
    listed: directory.listed,
    signals: buildSignals(parts, bindings),
    bindings,
    defaults: buildDefaults(crewFile, world),
    behaviors: new Map([...directory.files].map(([id]) => [id, buildBehavior(parts, id)])),
    groups: new Map([...(routing?.parallel_groups ?? [])].map(([name]) => [name, buildGroup(parts, name, subCrews)])),
    subCrews,
    tools: buildTools(crewFile),
    mcpServers: buildServers(crewFile),
    settings: buildSettings(crewFile),
  };
}

function isBuilt(entry: readonly [string, Agent | undefined]): entry is readonly [string, Agent] {
  return entry[1] !== undefined;
}

function buildAgentOf(parts: CrewParts, id: string, models: readonly Model[]): Agent | undefined {
  const file = parts.directory.files.get(id);
  if (file === undefined) return undefined;
  return buildAgent(file, {
    settings: settingsKeys(parts.crewFile),
    models,
    resolve: (kind, name) => parts.resolve(file, kind, name),
    isTerminal: parts.crewFile.keys.routing?.agent_behaviors.get(id)?.is_terminal,
  });
}

function buildEntryPoint({ crewFile, directory, entryPoint }: CrewParts): EntryPoint {
  const given = entryPoint ?? crewFile.keys.entry_point;
  const [first] = directory.listed;
  const isFolder = crewFile.isImplied && entryPoint === undefined;
  if (given === "auto" && !directory.files.has("auto")) return { type: "auto" };
  if (given === undefined && (isFolder || first === undefined)) return { type: "auto" };
  return { type: "agent", agent: given ?? first ?? "" };
}

function buildBehavior(parts: CrewParts, id: string): Behavior {
  const keys = parts.crewFile.keys.routing?.agent_behaviors.get(id);
  return {
    waitForSignal: keys?.wait_for_signal ?? false,
    autoRoute: keys?.auto_route ?? true,
    isTerminal: keys?.is_terminal ?? parts.directory.files.get(id)?.keys.is_terminal ?? false,
  };
}

function buildGroup({ crewFile, world }: CrewParts, name: string, subCrews: ReadonlyMap<string, SubCrew>): Group {
  const keys = crewFile.keys.routing?.parallel_groups.get(name);
  const next = keys?.next_agent;
  return {
    agents: (keys?.agents ?? []).filter((agent) => world.agents.has(agent)),
    crews: (keys?.crews ?? []).filter((crew) => subCrews.has(crew)),
    waitForAll: keys?.wait_for_all ?? false,
    minSuccess: keys?.min_success,
    timeoutMs: inMs(keys?.timeout_seconds ?? settingsKeys(crewFile).parallel_timeout_seconds),
    nextAgent: next !== undefined && world.agents.has(next) ? next : undefined,
    description: keys?.description,
  };
}

function buildDefaults(crewFile: CrewFile, world: SignalWorld): Crew["defaults"] {
  const defaults = [...(crewFile.keys.routing?.defaults ?? [])];
  return new Map(
    defaults.filter(
      ([agent, target]) => world.agents.has(agent) && (world.agents.has(target) || world.groups.has(target)),
    ),
  );
}

/** The registered signals, and those that a binding registers in permissive mode. */
function buildSignals({ world }: CrewParts, bindings: Crew["bindings"]): Signal[] {
  const bound = new Map([...bindings.values()].flat().map((binding) => [binding.signal, binding]));
  const registered = world.registry.list().map((definition): Signal => {
    const behavior = definition.behavior ?? bound.get(definition.name)?.move.type ?? "route";
    const { name, description, allowedAgents, deprecated } = definition;
    return {
      name,
      behavior,
      description,
      allowedAgents,
      deprecated,
      priority: definition.priority ?? defaultPriority(behavior),
    };
  });
  const byBinding = [...bound.values()]
    .filter(({ signal }) => !world.registry.has(signal))
    .map(({ signal: name, move, description, priority }): Signal => {
      return { name, behavior: move.type, description, allowedAgents: undefined, deprecated: undefined, priority };
    });
  return [...registered, ...byBinding];
}

function buildTools(crewFile: CrewFile): ReadonlyMap<string, ToolModule> {
  return new Map(
    [...crewFile.keys.tools].map(([name, reference]) => {
      const { file, exportName } = splitToolReference(reference, name);
      return [name, { file: resolve(dirname(crewFile.file), file), exportName }];
    }),
  );
}

/** `./tools.ts#lookup`; without `#…` the export has the tool's name. */
export function splitToolReference(reference: string, name: string): ToolModule {
  const hash = reference.lastIndexOf("#");
  return hash === -1
    ? { file: reference, exportName: name }
    : { file: reference.slice(0, hash), exportName: reference.slice(hash + 1) };
}

function buildServers(crewFile: CrewFile): ReadonlyMap<string, McpServer> {
  return new Map(
    [...crewFile.keys.mcp_servers].map(([name, keys]) => [
      name,
      {
        command: keys.command,
        args: keys.args,
        env: Object.fromEntries(keys.env),
        cwd: keys.cwd,
        url: keys.url,
        headers: Object.fromEntries(keys.headers),
      },
    ]),
  );
}
