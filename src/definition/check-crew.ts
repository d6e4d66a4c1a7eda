import { type LoadedDefinition, loadDefinition } from "./load-definition.ts";
import type { LoadOptions } from "./loading.ts";

/** Paths are relative to the process's working directory unless another is given. */
export type LoadCrewOptions = Partial<LoadOptions>;

/** Reads and checks the crew at `path`; never throws for what is wrong with it. There is a crew unless that is an error. */
export function checkCrew(path: string, options: LoadCrewOptions = {}): LoadedDefinition {
  const loaded = loadDefinition(path, { workingDirectory: process.cwd(), ...options });
  const hasErrors = loaded.diagnostics.some(({ severity }) => severity === "error");
  return { ...loaded, crew: hasErrors ? undefined : loaded.crew };
}
