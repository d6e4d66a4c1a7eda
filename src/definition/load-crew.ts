import type { Crew } from "../crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { ConfigurationError } from "../errors.ts";
import { type LoadedDefinition, type LoadOptions, loadDefinition } from "./load-definition.ts";

/** Paths are relative to the process's working directory unless another is given. */
export type LoadCrewOptions = Partial<LoadOptions>;

/** A crew that can be run, with the warnings it gave. */
export interface LoadedCrew {
  readonly definition: Crew;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and checks the crew at `path`; throws a ConfigurationError with every problem if one of them is an error. */
export async function loadCrew(path: string, options: LoadCrewOptions = {}): Promise<LoadedCrew> {
  const { crew, diagnostics } = checkCrew(path, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (crew === undefined || errors.length > 0) throw new ConfigurationError(explain(path, errors), diagnostics);
  return { definition: crew, diagnostics };
}

/** Reads and checks the crew at `path`; never throws for what is wrong with it. There is a crew unless that is an error. */
export function checkCrew(path: string, options: LoadCrewOptions = {}): LoadedDefinition {
  const { crew, diagnostics } = loadDefinition(path, { workingDirectory: process.cwd(), ...options });
  return { crew: diagnostics.some(({ severity }) => severity === "error") ? undefined : crew, diagnostics };
}

function explain(path: string, errors: readonly Diagnostic[]): string {
  const lines = errors.map(
    ({ file, line, column, code, message }) => `  ${file}:${line}:${column} ${code}: ${message}`,
  );
  return [`the crew at ${path} has ${errors.length === 1 ? "an error" : `${errors.length} errors`}`, ...lines].join(
    "\n",
  );
}
