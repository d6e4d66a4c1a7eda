import { checkCrew, type LoadCrewOptions } from "../definition/check-crew.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { ConfigurationError } from "../errors.ts";
import { type CrewEnvironment, type CrewHandle, openCrew } from "./crew-handle.ts";

/** Reads and checks the crew at `path`; throws a ConfigurationError with every problem if one of them is an error. */
export async function loadCrew(
  path: string,
  options: Omit<LoadCrewOptions, "tools"> & CrewEnvironment = {},
): Promise<CrewHandle> {
  const { clock, tools, models, variables, ...loading } = options;
  const names = tools?.map(({ name }) => name) ?? [];
  const { crew, diagnostics } = checkCrew(path, { ...loading, tools: names });
  if (crew === undefined) throw new ConfigurationError(explain(path, diagnostics), diagnostics);
  return openCrew(crew, diagnostics, {
    ...(clock !== undefined && { clock }),
    ...(tools !== undefined && { tools }),
    ...(models !== undefined && { models }),
    ...(variables !== undefined && { variables }),
  });
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
