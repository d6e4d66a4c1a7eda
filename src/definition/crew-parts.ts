import type { SignalRegistry } from "../signals/signal-registry.ts";
import type { SignalWorld } from "../signals/validate-signals.ts";
import type { AgentFile } from "./agent-file.ts";
import { buildRegistry, type OwnSignal, readOwnSignals } from "./build-registry.ts";
import type { AgentDirectory } from "./collect-agents.ts";
import type { CrewFile } from "./crew-files.ts";
import { type Path, placeOfKey, placeOfValue } from "./locate.ts";
import type { Reference } from "./references-of.ts";
import { indexCollaborators } from "./resolve-collaborator.ts";
import type { Place } from "./source.ts";

/** Everything that is known of one crew once its files are read: what checks look at and the crew is built from. */
export interface CrewParts {
  readonly crewFile: CrewFile;
  readonly directory: AgentDirectory;
  readonly ownSignals: readonly OwnSignal[];
  readonly world: SignalWorld;
  /** Names of tools that are declared outside the crew: in code, or by a scenario. */
  readonly givenTools: ReadonlySet<string>;
  /** The entry point given by the caller, above the crew's own. */
  readonly entryPoint: string | undefined;
  readonly root: string;
  /** The id that an agent's reference means, if exactly one fits. */
  resolve(from: AgentFile, kind: Reference["kind"], name: string): string | undefined;
  /** The ids that a collaborator's name fits. */
  collaborators(name: string): readonly string[];
  placeOf(path: Path): Place;
  placeOfKey(path: Path): Place;
}

export interface GivenParts {
  readonly signals: SignalRegistry | undefined;
  readonly tools: ReadonlySet<string>;
  readonly entryPoint: string | undefined;
  readonly root: string;
}

export function assembleParts(crewFile: CrewFile, directory: AgentDirectory, given: GivenParts): CrewParts {
  const ownSignals = readOwnSignals(crewFile);
  const index = indexCollaborators(directory.files);
  const world: SignalWorld = {
    registry: buildRegistry(ownSignals, given.signals),
    agents: new Set(directory.files.keys()),
    groups: new Set(crewFile.keys.routing?.parallel_groups.keys()),
    strict: crewFile.reporter.strict,
  };
  return {
    crewFile,
    directory,
    ownSignals,
    world,
    givenTools: given.tools,
    entryPoint: given.entryPoint,
    root: given.root,
    resolve: (from, kind, name) => {
      const id = directory.resolve(name, from);
      if (id !== undefined || kind !== "collaborations") return id;
      const fitting = index.find(name);
      return fitting.length === 1 ? fitting[0] : undefined;
    },
    collaborators: (name) => index.find(name),
    placeOf: (path) => placeOfValue(crewFile, path),
    placeOfKey: (path) => placeOfKey(crewFile, path),
  };
}
