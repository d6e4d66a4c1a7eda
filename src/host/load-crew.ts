import { resolve } from "node:path";
import type { Crew } from "../crew.ts";
import { checkCrew, type LoadCrewOptions } from "../definition/check-crew.ts";
import type { LoadedDefinition } from "../definition/load-definition.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { ConfigurationError } from "../errors.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import type { CrewEnvironment } from "./crew-versions.ts";

/** Reads and checks the crew at `path`; throws a ConfigurationError with every problem if one of them is an error. */
export async function loadCrew(
  path: string,
  options: Omit<LoadCrewOptions, "tools"> & CrewEnvironment = {},
): Promise<CrewHandle> {
  const { clock, tools, models, variables, store, approveServer, ...loading } = options;
  const names = tools?.map(({ name }) => name) ?? [];
  const loaded = checkCrew(path, { ...loading, tools: names });
  return openCrew(refuseErrors(path, loaded), loaded.diagnostics, {
    ...(clock !== undefined && { clock }),
    ...(tools !== undefined && { tools }),
    ...(models !== undefined && { models }),
    ...(approveServer !== undefined && { approveServer }),
    ...(variables !== undefined && { variables }),
    ...(store !== undefined && { store, source: resolve(loading.workingDirectory ?? process.cwd(), path) }),
  });
}

/** The crew that was loaded, unless there is an error in it. */
export function refuseErrors(path: string, { crew, diagnostics }: LoadedDefinition): Crew {
  if (crew !== undefined && !diagnostics.some(({ severity }) => severity === "error")) return crew;
  throw new ConfigurationError(explain(path, diagnostics), diagnostics);
}

function explain(path: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const lines = errors.map(
    ({ file, line, column, code, message }) => `  ${file}:${line}:${column} ${code}: ${message}`,
  );
  return [`the crew at ${path} has ${errors.length === 1 ? "an error" : `${errors.length} errors`}`, ...lines].join(
    "\n",
  );
}
