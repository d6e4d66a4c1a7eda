import type { LoadedDefinition } from "../definition/load-definition.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { ConfigurationError } from "../vocabulary/errors.ts";

/** The crew that was loaded, unless there is an error in it. `name` says which crew it is, such as `the crew at <path>`. */
export function refuseErrors(name: string, { crew, diagnostics }: LoadedDefinition): Crew {
  if (crew !== undefined && !diagnostics.some(({ severity }) => severity === "error")) return crew;
  throw new ConfigurationError(explain(name, diagnostics), diagnostics);
}

function explain(name: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const lines = errors.map(
    ({ file, line, column, code, message }) => `  ${file}:${line}:${column} ${code}: ${message}`,
  );
  return [`${name} has ${errors.length === 1 ? "an error" : `${errors.length} errors`}`, ...lines].join("\n");
}
