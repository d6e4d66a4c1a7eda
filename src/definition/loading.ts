import type { SignalRegistry } from "../signals/signal-registry.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { ToolSet } from "../vocabulary/tool-set.ts";
import type { FileScope } from "./agent-reading.ts";
import type { CrewParts } from "./crew-parts.ts";
import type { LoadEnvironment } from "./load-environment.ts";
import type { ProblemLog } from "./problem-log.ts";
import type { Project } from "./read-project.ts";

/** How the files of a crew are read. */
export interface LoadOptions {
  /** The folder that no reference may leave; found from the path when absent. */
  readonly root?: string | undefined;
  /** Treats the crew as strict, whatever its `config_mode`. */
  readonly strict?: boolean | undefined;
  /** Signals that have a meaning before the crew's own `signals:`; the built-in ones when absent. */
  readonly signals?: SignalRegistry | undefined;
  /** Tools declared outside the crew. */
  readonly tools?: ReadonlySet<string> | readonly string[] | undefined;
  /** Those of them that wait for a human's approval. */
  readonly approvals?: readonly string[] | undefined;
  /** Lets stubs answer for tools that are declared nowhere, to try a crew without them. */
  readonly stubTools?: boolean | undefined;
  /** Tools that agents may use besides those of the crew's files: `files:./docs,write:./out,shell:git,web:example.org,todo`. */
  readonly allow?: string | undefined;
  /** Ids of agents whose functions are given in code. */
  readonly givenFunctions?: readonly string[] | undefined;
  /** The agent that begins, above the crew's own `entry_point`. */
  readonly entryPoint?: string | undefined;
  /** The environment variables that `${NAME}` in a webhook's address stands for. If absent, nobody checks that they are set. */
  readonly environment?: LoadEnvironment | undefined;
  /** What paths are relative to, in and out. */
  readonly workingDirectory: string;
}

/** What loading a crew needs to know of the crews around it. */
export interface Loading extends FileScope {
  readonly log: ProblemLog;
  readonly project: Project;
  readonly options: LoadOptions;
  /** The sets of tools that `allow` stands for. */
  readonly toolSets: ReadonlyMap<string, ToolSet>;
  /** The crews being loaded, from the outermost in, for circles of sub-crews. */
  readonly ancestors: readonly { readonly file: string; readonly name: string }[];
  /** Crews by file, so that one that several parents call is loaded once. */
  readonly loaded: Map<string, Crew | undefined>;
  /** What each crew was made of, for those who look for places later. */
  readonly parts: Map<Crew, CrewParts>;
}
