import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A system whose files are in the collection, and which of its files can be given to Baton. */
export interface Kind {
  readonly name: string;
  readonly isSample: (file: string) => boolean;
  /** The share of files that load, or are refused for something that is truly not there. */
  readonly wanted: number;
}

const isMarkdown = (file: string) => file.endsWith(".md");
const isYaml = (file: string) => /\.ya?ml$/.test(file);

export const kinds: readonly Kind[] = [
  // A crew file is whatever YAML is not an agent's.
  { name: "go-agentic", isSample: (file) => isYaml(file) && basename(dirname(file)) !== "agents", wanted: 0.95 },
  { name: "ai-agent", isSample: (file) => file.endsWith(".ai"), wanted: 0.95 },
  { name: "maia", isSample: isMarkdown, wanted: 0.95 },
  { name: "claude", isSample: isMarkdown, wanted: 0.95 },
  { name: "copilot", isSample: isMarkdown, wanted: 0.9 },
  { name: "opencode", isSample: isMarkdown, wanted: 0.95 },
  { name: "cagent", isSample: isYaml, wanted: 0.9 },
  { name: "crewai", isSample: isYaml, wanted: 0.9 },
];

/** The files of a kind in the collection, sorted. */
export function listSamples(collection: string, { name, isSample }: Kind): string[] {
  const folder = join(collection, name);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter(isSample)
    .sort()
    .map((file) => join(folder, file));
}
