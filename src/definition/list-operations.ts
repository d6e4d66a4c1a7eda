import { isMethod, nameOperation } from "../vocabulary/tool-set.ts";
import { findEntry } from "./fields.ts";
import { parseYaml } from "./parse-yaml.ts";
import { silentReporter } from "./problem-log.ts";
import { type FileProblem, readText } from "./read-text.ts";
import { createSource } from "./source.ts";
import { type MapNode, toPlain } from "./yaml-node.ts";

/** Descriptions of large APIs have some megabytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The names of the operations of an OpenAPI file, in its order. An operation without an id is called by its method and path. */
export function listOperations(
  file: string,
  root: string,
): { readonly operations: readonly string[]; readonly document: unknown } | { readonly problem: FileProblem } {
  const read = readText(file, root, MAX_BYTES);
  if ("problem" in read) return read;
  const tree = parseYaml(createSource(file, read.text), { start: 0, end: read.text.length }, silentReporter);
  const paths = tree && findEntry(tree, "paths")?.value;
  if (tree === undefined || findEntry(tree, "openapi") === undefined || paths?.kind !== "map")
    return { problem: { code: "unreadable", message: "is not an OpenAPI 3 file: it needs 'openapi' and 'paths'" } };
  const operations = paths.entries.flatMap(({ key, value }) => (value.kind === "map" ? listAt(key, value) : []));
  return { operations, document: toPlain(tree) };
}

function listAt(path: string, node: MapNode): string[] {
  return node.entries.flatMap(({ key, value }) => {
    if (!isMethod(key) || value.kind !== "map") return [];
    const id = findEntry(value, "operationId")?.value;
    return [nameOperation(id?.kind === "scalar" ? id.value : undefined, key, path)];
  });
}
