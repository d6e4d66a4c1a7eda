import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A page of the documentation, as the package carries it. */
export interface ReferencePage {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: "text/markdown" | "application/json";
  read(): string;
}

/** Every page of the documentation, and the JSON Schemas of the files that people write. */
export function listPages(): readonly ReferencePage[] {
  const folder = findPackage(import.meta.dirname);
  if (folder === undefined) return [];
  return [
    ...listMarkdown(join(folder, "docs"), ""),
    ...listFiles(join(folder, "schema"), ".json").map((file) =>
      toPage(join(folder, "schema", file), `schema/${file}`, "application/json"),
    ),
  ];
}

function listMarkdown(folder: string, prefix: string): ReferencePage[] {
  const pages = listFiles(folder, ".md").map((file) =>
    toPage(join(folder, file), `docs/${prefix}${file}`, "text/markdown"),
  );
  return prefix === "" ? [...pages, ...listMarkdown(join(folder, "reference"), "reference/")] : pages;
}

function listFiles(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort();
}

function toPage(file: string, path: string, mimeType: ReferencePage["mimeType"]): ReferencePage {
  const read = () => readFileSync(file, "utf8");
  return { uri: `baton://${path}`, name: path, title: readTitle(read(), path), mimeType, read };
}

function readTitle(text: string, path: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? path;
}

/** The folder of the package, from its sources and from what is published. */
function findPackage(from: string): string | undefined {
  const manifest = join(from, "package.json");
  if (existsSync(manifest) && /"name": "baton-agents"/.test(readFileSync(manifest, "utf8"))) return from;
  const above = dirname(from);
  return above === from ? undefined : findPackage(above);
}
