/** Where in a YAML text a position is: the keys around it, and whether a key or a value is written there. */
export interface TextPlace {
  readonly path: readonly string[];
  readonly isKey: boolean;
  /** The word that is being written, and where it begins. */
  readonly word: string;
  readonly from: number;
}

const KEY = /^(\s*)((?:- )*)\s*([\w-]+)\s*:/;

/** Finds the keys around a position by their indentation. List items have no key of their own. */
export function findKeyPath(text: string, position: number): TextPlace {
  const begin = text.lastIndexOf("\n", position - 1) + 1;
  const line = text.slice(begin, position);
  const [, word = ""] = /([\w[\]/.-]*)$/.exec(line) ?? [];
  const ownKey = /^\s*(?:- )*([\w-]+)\s*:\s/.exec(line)?.[1];
  const isKey = /^\s*(?:- )*[\w-]*$/.test(line);
  const column = (/^\s*(?:- )*/.exec(line)?.[0] ?? "").length;
  const above = findKeysAbove(text.slice(0, begin), column);
  return { path: ownKey === undefined ? above : [...above, ownKey], isKey, word, from: position - word.length };
}

function findKeysAbove(text: string, column: number): string[] {
  const path: string[] = [];
  let left = column;
  for (const line of text.split("\n").reverse()) {
    const [, indent = "", dashes = "", key] = KEY.exec(line) ?? [];
    const at = indent.length + dashes.length;
    if (key === undefined || at >= left) continue;
    path.unshift(key);
    left = indent.length;
    if (left === 0 && dashes === "") break;
  }
  return path;
}
