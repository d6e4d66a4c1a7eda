import type { CrewNames } from "./complete-text.ts";

/** What the files of a crew call things, also while they have errors and nothing can be loaded. */
export function findNames(files: readonly (readonly [string, string])[]): CrewNames {
  const agents = files.flatMap(([path]) => /(?:^|\/)agents\/([^/]+)\.(?:md|ai|ya?ml)$/.exec(path)?.[1] ?? []);
  const texts = files.map(([, text]) => text);
  const signals = texts.flatMap((text) =>
    [...text.matchAll(/\[[\p{L}\p{N}_-][\p{L}\p{N}_ -]{0,62}\]/gu)].map(([name]) => name),
  );
  const groups = texts.flatMap((text) => listKeysUnder(text, "parallel_groups"));
  const tools = texts.flatMap((text) => listKeysUnder(text, "tools"));
  return {
    agents: unique(agents),
    groups: unique(groups),
    tools: unique(tools),
    signals: unique(signals.filter(isUpper)),
  };
}

/** A signal is usually written in capitals; other brackets are lists. */
function isUpper(name: string): boolean {
  return name === name.toUpperCase() && /\p{L}/u.test(name);
}

function listKeysUnder(text: string, key: string): string[] {
  const block = new RegExp(`^( *)${key}:\\s*\\n((?:\\1 +.*\\n?|\\s*\\n)*)`, "m").exec(text);
  const lines = (block?.[2] ?? "").split("\n");
  const indent = /^ */.exec(lines[0] ?? "")?.[0].length ?? 0;
  return lines.flatMap((line) => new RegExp(`^ {${indent}}([\\w-]+):`).exec(line)?.[1] ?? []);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
