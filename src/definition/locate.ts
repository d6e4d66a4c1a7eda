import { findEntry } from "./fields.ts";
import type { Place, Source, Span } from "./source.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Keys and list positions from a file's root to a value. */
export type Path = readonly (string | number)[];

/** A file with its tree, for finding places in it. */
export interface Located {
  readonly source: Source;
  readonly root: YamlNode;
}

/** The place of the value at `path`, or of the nearest thing around it that the file has. */
export function placeOfValue(file: Located, path: Path): Place {
  return placeOnDemand(file, () => walk(file.root, path).value);
}

/** The place of the key at the end of `path`. */
export function placeOfKey(file: Located, path: Path): Place {
  return placeOnDemand(file, () => walk(file.root, path).key);
}

/** Looked for when somebody asks: checks name the place of everything they look at, and most of it is in order. */
function placeOnDemand({ source }: Located, find: () => Span): Place {
  return {
    file: source.file,
    source,
    get span() {
      return find();
    },
  };
}

function walk(root: YamlNode, path: Path): { readonly key: Span; readonly value: Span } {
  let node = root;
  let key: Span = { start: root.span.start, end: root.span.start + 1 };
  for (const step of path) {
    if (typeof step === "number") {
      const item = node.kind === "list" ? node.items[step] : undefined;
      if (item === undefined) return { key, value: key };
      node = item;
      key = item.span;
    } else {
      const entry = findEntry(node, step);
      if (entry === undefined) return { key, value: key };
      node = entry.value;
      key = entry.keySpan;
    }
  }
  const isBlock = node.kind !== "scalar" || node.span.end === node.span.start;
  return { key, value: isBlock ? key : node.span };
}
