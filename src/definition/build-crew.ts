import { dirname, resolve } from "node:path";
import { choosePriority } from "../signals/signal-definition.ts";
import type { SignalWorld } from "../signals/validate-signals.ts";
import type {
  Agent,
  Behavior,
  Crew,
  EntryPoint,
  Group,
  ModelName,
  Signal,
  SubCrew,
  ToolModule,
} from "../vocabulary/crew.ts";
import type { Guard, Guards } from "../vocabulary/guard.ts";
import type { AgentFile } from "./agent-file.ts";
import { buildAgent } from "./build-agent.ts";
import { buildBindings } from "./build-bindings.ts";
import { buildGuards } from "./build-guards.ts";
import { buildSettings, inMs, settingsKeys } from "./build-settings.ts";
import { listToolModules } from "./build-tool-sets.ts";
import type { Reference } from "./collect-references.ts";
import type { CrewFile } from "./crew-files.ts";
import type { CrewParts } from "./crew-parts.ts";
import { findFunction } from "./find-function.ts";
import { isGate } from "./gates.ts";
import { buildMemory } from "./memory-shape.ts";
import { parseModel } from "./parse-model.ts";
import { buildPauseTimeout } from "./pause-timeout-shape.ts";
import { DEFAULT_MAX_ITEMS, readWorker, type Worker } from "./read-worker.ts";
import { splitToolReference } from "./tool-reference.ts";
import { listTools, listUnknownTools } from "./unknown-tools.ts";

/** Puts a crew together from its files. What does not fit is left out; the checks have said why. */
export function buildCrew(parts: CrewParts, subCrews: ReadonlyMap<string, SubCrew>): Crew {
  const { crewFile, directory, world } = parts;
  const { keys } = crewFile;
  const routing = keys.routing;
  const guards = buildGuards(keys.guards, crewFile.file);
  const models = keys.models.flatMap((name) => parseModel(name) ?? []);
  const bindings = buildBindings(routing?.signals ?? new Map(), {
    world,
    listed: directory.listed,
    settings: settingsKeys(crewFile),
  });
  return {
    name: keys.name ?? "crew",
    ...(keys.description !== undefined && { description: keys.description }),
    entryPoint: findEntryPoint(parts),
    agents: buildAgents(parts, models),
    listed: directory.listed,
    signals: buildSignals(parts, bindings),
    bindings,
    defaults: buildDefaults(crewFile, world),
    behaviors: new Map([...directory.files.keys()].map((id) => [id, buildBehavior(id, crewFile)])),
    groups: new Map(
      [...(routing?.parallel_groups ?? [])].map(([name, group]) => [name, buildGroup(group, parts, subCrews)]),
    ),
    subCrews,
    tools: buildTools(crewFile),
    ...(parts.toolSets.size > 0 && { toolSets: parts.toolSets }),
    mcpServers: parts.servers,
    ...(parts.stubTools && { stubTools: [...new Set(listUnknownTools(parts).map(({ tool }) => tool))] }),
    ...(guards !== undefined && { guards: withKnownJudges(guards, world.agents) }),
    settings: buildSettings(crewFile),
  };
}

/** An agent that judges and is nobody was reported. */
function withKnownJudges(guards: Guards, known: ReadonlySet<string>): Guards {
  const isKnown = ({ check }: Guard) => check.type !== "agent" || known.has(check.agent);
  return { ...guards, input: guards.input.filter(isKnown), output: guards.output.filter(isKnown) };
}

function buildAgents(parts: CrewParts, models: readonly ModelName[]): Map<string, Agent> {
  const { crewFile, directory, resolve } = parts;
  const settings = settingsKeys(crewFile);
  return new Map(
    [...directory.files].map(([id, file]) => {
      const isTerminal = crewFile.keys.routing?.agent_behaviors.get(id)?.is_terminal;
      const own = (kind: Reference["kind"], name: string) => resolve(file, kind, name);
      const functionIn = (of: AgentFile) => findFunction(of, parts);
      const tools = (of: AgentFile) => listTools(of, parts);
      const memory = buildMemory(crewFile.keys.memory);
      const surroundings = { memory, file: crewFile.file, settings, models, isTerminal, findFunction: functionIn };
      return [id, buildAgent(file, { ...surroundings, resolve: own, listTools: tools })];
    }),
  );
}

/** Who begins. In a folder of agents without a crew.yaml that is chosen. */
export function findEntryPoint({ crewFile, directory, entryPoint }: CrewParts): EntryPoint {
  const given = entryPoint ?? crewFile.keys.entry_point;
  const [first] = directory.listed;
  const isFolder = crewFile.isImplied && entryPoint === undefined;
  if (given === "auto" && !directory.files.has("auto")) return { type: "auto" };
  if (given === undefined && (isFolder || first === undefined)) return { type: "auto" };
  return { type: "agent", agent: given ?? first ?? "" };
}

function buildBehavior(agent: string, crewFile: CrewFile): Behavior {
  const keys = crewFile.keys.routing?.agent_behaviors.get(agent);
  const pauseTimeout = buildPauseTimeout(keys?.pause_timeout);
  return { waitForSignal: keys?.wait_for_signal ?? false, autoRoute: !isGate(keys, crewFile), pauseTimeout };
}

type Routing = NonNullable<CrewFile["keys"]["routing"]>;
type GroupKeys = Routing["parallel_groups"] extends ReadonlyMap<string, infer Keys> ? Keys : never;

function buildGroup(keys: GroupKeys, { crewFile, world }: CrewParts, subCrews: ReadonlyMap<string, SubCrew>): Group {
  const next = keys.next_agent;
  const { for_each: forEach } = keys;
  const worker = forEach === undefined ? undefined : readWorker(forEach);
  return {
    agents: listMembers("agent", keys.agents, worker).filter((agent) => world.agents.has(agent)),
    crews: listMembers("crew", keys.crews, worker).filter((crew) => subCrews.has(crew)),
    waitForAll: keys.wait_for_all ?? (worker !== undefined && keys.min_success === undefined),
    minSuccess: keys.min_success,
    timeoutMs: inMs(keys.timeout_seconds ?? settingsKeys(crewFile).parallel_timeout_seconds),
    nextAgent: next !== undefined && world.agents.has(next) ? next : undefined,
    description: keys.description,
    forEach: worker && {
      items: keys.items ?? "$",
      maxItems: keys.max_items ?? DEFAULT_MAX_ITEMS,
      concurrency: keys.concurrency ?? 8,
      inputTemplate: keys.input_template,
    },
  };
}

/** Whoever works on each item is the group's only member. */
function listMembers(kind: Worker["kind"], members: readonly string[], worker: Worker | undefined): readonly string[] {
  if (worker === undefined) return members;
  return worker.kind === kind ? [worker.name] : [];
}

function buildDefaults(crewFile: CrewFile, world: SignalWorld): Crew["defaults"] {
  const defaults = [...(crewFile.keys.routing?.defaults ?? [])];
  const isKnown = (target: string) => target === "" || world.agents.has(target) || world.groups.has(target);
  return new Map(
    defaults.flatMap(([agent, target]) =>
      world.agents.has(agent) && isKnown(target) ? [[agent, target === "" ? null : target]] : [],
    ),
  );
}

/** The registered signals, and those that a binding registers in permissive mode. */
function buildSignals({ world }: CrewParts, bindings: Crew["bindings"]): Signal[] {
  // Where agents bind a signal differently, the first of them says what it is.
  const bound = new Map(
    [...bindings.values()]
      .flat()
      .toReversed()
      .map((binding) => [binding.signal, binding]),
  );
  const registered = world.registry.list().map((definition): Signal => {
    const behavior = definition.behavior ?? bound.get(definition.name)?.move.type ?? "route";
    const { name, description, allowedAgents, example, deprecated } = definition;
    return {
      name,
      behavior,
      description,
      allowedAgents,
      example,
      deprecated,
      priority: definition.priority ?? choosePriority(behavior),
    };
  });
  const byBinding = [...bound.values()]
    .filter(({ signal }) => !world.registry.has(signal))
    .map(({ signal: name, move, description, priority }): Signal => {
      return {
        name,
        behavior: move.type,
        description,
        allowedAgents: undefined,
        example: undefined,
        deprecated: undefined,
        priority,
      };
    });
  return [...registered, ...byBinding];
}

function buildTools(crewFile: CrewFile): ReadonlyMap<string, ToolModule> {
  return new Map(
    listToolModules(crewFile).map(([name, reference]) => {
      const { file, exportName } = splitToolReference(reference, name);
      return [name, { file: resolve(dirname(crewFile.file), file), exportName }];
    }),
  );
}
