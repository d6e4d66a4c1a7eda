import type { LoadedDefinition } from "../definition/load-definition.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { Diagnostic } from "../vocabulary/diagnostic.ts";
import { ConfigurationError } from "../vocabulary/errors.ts";

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
