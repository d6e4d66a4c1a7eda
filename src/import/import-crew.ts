import type { CrewImport, ImportOptions } from "./import-sources.ts";

/**
 * Turns the files of another system into crews of Baton, and writes nothing. It executes nothing of what it reads, and never rejects
 * for what is wrong with it: `problems` says which files could not be imported, and why.
 */
export async function importCrew(path: string, options: ImportOptions = {}): Promise<CrewImport> {
  const { importSources } = await import("./import-sources.ts");
  return importSources(path, options);
}
