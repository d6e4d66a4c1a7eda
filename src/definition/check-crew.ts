import { type LoadedDefinition, loadDefinition } from "./load-definition.ts";
import type { LoadOptions } from "./loading.ts";

/** How a crew is checked. Paths are relative to the working directory of the process unless another is given. */
export type CheckCrewOptions = Partial<LoadOptions>;

/**
 * Reads and checks the crew at `path`. What is wrong with it is never thrown but a diagnostic. There is a crew unless one of them is an error.
 * Throws a `BatonError` with the code `bad-option` if `allow` is malformed.
 */
export function checkCrew(path: string, options: CheckCrewOptions = {}): LoadedDefinition {
  const loaded = loadDefinition(path, { workingDirectory: process.cwd(), ...options });
  const hasErrors = loaded.diagnostics.some(({ severity }) => severity === "error");
  return { ...loaded, crew: hasErrors ? undefined : loaded.crew };
}
