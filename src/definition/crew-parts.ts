import { relative } from "node:path";
import type { SignalRegistry } from "../signals/signal-registry.ts";
import type { SignalWorld } from "../signals/validate-signals.ts";
import type { McpServer } from "../vocabulary/crew.ts";
import { listSetTools, needsApproval, type ToolSet } from "../vocabulary/tool-set.ts";
import type { AgentFile } from "./agent-file.ts";
import { buildMcp } from "./build-mcp.ts";
import { buildRegistry, type OwnSignal, readOwnSignals } from "./build-registry.ts";
import { buildToolSets } from "./build-tool-sets.ts";
import type { AgentDirectory } from "./collect-agents.ts";
import type { Reference } from "./collect-references.ts";
import type { CrewFile } from "./crew-files.ts";
import { findEntry } from "./fields.ts";
import type { LoadEnvironment } from "./load-environment.ts";
import { type Path, placeOfKey, placeOfValue } from "./locate.ts";
import type { Project } from "./read-project.ts";
import { indexCollaborators } from "./resolve-collaborator.ts";
import type { Place } from "./source.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Everything that is known of one crew once its files are read: what checks look at and the crew is built from. */
export interface CrewParts {
  readonly crewFile: CrewFile;
  readonly directory: AgentDirectory;
  readonly ownSignals: readonly OwnSignal[];
  readonly world: SignalWorld;
  /** The names under `sub_crews`, also of those that could not be read. */
  readonly subCrews: ReadonlySet<string>;
  /** Names of tools that are declared outside the crew: in code, or by a scenario. */
  readonly givenTools: ReadonlySet<string>;
  /** Those of them that wait for a human's approval. */
  readonly approvals: ReadonlySet<string>;
  /** Whether stubs answer for tools that are declared nowhere. */
  readonly stubTools: boolean;
  /** The ids of agents whose functions are given in code. */
  readonly givenFunctions: ReadonlySet<string>;
  /** The entry point given by the caller, above the crew's own. */
  readonly entryPoint: string | undefined;
  readonly root: string;
  readonly project: Project;
  readonly environment: LoadEnvironment | undefined;
  /** Tools that are declared together, by the name of their set. */
  readonly toolSets: ReadonlyMap<string, ToolSet>;
  /** MCP servers by name, those of the project included. */
  readonly servers: ReadonlyMap<string, McpServer>;
  /** The id that an agent's reference means, if exactly one fits. */
  resolve(from: AgentFile, kind: Reference["kind"], name: string): string | undefined;
  /** The ids that a collaborator's name fits. */
  collaborators(name: string): readonly string[];
  /** What to add to a message about an unknown agent whose file is there and not listed. */
  unlistedHint(name: string): string;
  placeOf(path: Path): Place;
  placeOfKey(path: Path): Place;
}

export interface GivenParts {
  readonly signals: SignalRegistry | undefined;
  readonly tools: ReadonlySet<string>;
  readonly approvals: ReadonlySet<string>;
  readonly stubTools: boolean;
  readonly functions: ReadonlySet<string>;
  readonly entryPoint: string | undefined;
  /** Sets of tools that the caller allows besides the crew's own. */
  readonly toolSets: ReadonlyMap<string, ToolSet>;
  readonly root: string;
  readonly project: Project;
  readonly environment: LoadEnvironment | undefined;
}

export function assembleParts(crewFile: CrewFile, directory: AgentDirectory, given: GivenParts): CrewParts {
  const ownSignals = readOwnSignals(crewFile);
  const index = indexCollaborators(directory.files);
  const world: SignalWorld = {
    registry: buildRegistry(ownSignals, given.signals),
    agents: directory.known,
    groups: keysAt(crewFile.root, ["routing", "parallel_groups"]),
    strict: crewFile.reporter.strict,
  };
  const toolSets = buildToolSets(crewFile, given.root, given.toolSets);
  return {
    crewFile,
    directory,
    ownSignals,
    world,
    subCrews: keysAt(crewFile.root, ["sub_crews"]),
    givenTools: given.tools,
    approvals: new Set([...given.approvals, ...listSetApprovals(toolSets, given.tools)]),
    stubTools: given.stubTools,
    givenFunctions: given.functions,
    entryPoint: given.entryPoint,
    root: given.root,
    project: given.project,
    environment: given.environment,
    toolSets,
    servers: buildMcp(crewFile, directory.files.values(), given.root),
    resolve: (from, kind, name) => {
      const id = directory.resolve(name, from);
      if (id !== undefined || !(kind === "collaborations" || from.origin?.callsByName)) return id;
      const fitting = index.find(name);
      return fitting.length === 1 ? fitting[0] : undefined;
    },
    collaborators: (name) => index.find(name),
    unlistedHint: (name) => {
      const file = directory.unlisted.get(name)?.file;
      return file === undefined ? "" : `; ${relative(crewFile.folder, file)} is there, but 'agents' does not list it`;
    },
    placeOf: (path) => placeOfValue(crewFile, path),
    placeOfKey: (path) => placeOfKey(crewFile, path),
  };
}

/** The tools of sets that wait for a human, unless another tool is given in their place. */
function listSetApprovals(toolSets: ReadonlyMap<string, ToolSet>, given: ReadonlySet<string>): string[] {
  const names = [...toolSets].flatMap(([name, set]) =>
    listSetTools(set).flatMap((tool) => (needsApproval(set, tool) ? `${name}__${tool}` : [])),
  );
  return names.filter((name) => !given.has(name));
}

/** The keys of a map in the file, whatever stands behind them: a name that is there is not an unknown name. */
function keysAt(root: YamlNode, path: readonly string[]): ReadonlySet<string> {
  let node: YamlNode | undefined = root;
  for (const key of path) node = findEntry(node, key)?.value;
  return new Set(node?.kind === "map" ? node.entries.map(({ key }) => key) : []);
}
