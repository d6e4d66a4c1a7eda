import { basename, dirname, join, resolve } from "node:path";
import type { FileScope } from "../agent-reading.ts";
import { type Reporter, silentReporter } from "../problem-log.ts";
import { readText, resolveInside } from "../read-text.ts";
import { createSource, placeIn, type Source } from "../source.ts";
import { splitFrontmatter } from "../split-frontmatter.ts";

/** `{% render 'x.md' %}`, `{% include "x.md" %}`, and the older `${include:x.md}` and `{{include:x.md}}`. */
const DIRECTIVE =
  /\{%-?[ \t]*(?:render|include)[ \t]+(?:'([^'\n]{1,500})'|"([^"\n]{1,500})")[^%\n]{0,500}%\}|\$\{include:([^}\n]{1,500})\}|\{\{include:([^}\n]{1,500})\}\}/g;

const MAX_DEPTH = 10;
/** More than any prompt needs. Files that are included several times on every level would grow without a bound. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const MAX_INCLUDES = 1000;

type Scope = Pick<FileScope, "root"> & { readonly reporter: Reporter };

/** The text of a file behind `start`, with the texts of the files that it includes in place of what includes them. */
export function resolveIncludes(source: Source, start: number, scope: Scope): string {
  return expand(source, start, [source.file], { ...scope, characters: MAX_CHARACTERS, includes: MAX_INCLUDES });
}

/** What the prompt may still take. */
interface Budget extends Scope {
  characters: number;
  includes: number;
}

function expand(source: Source, start: number, chain: readonly string[], budget: Budget): string {
  let end = start;
  const parts: string[] = [];
  const add = (text: string) => {
    budget.characters -= text.length;
    parts.push(text);
  };
  for (const match of source.text.slice(start).matchAll(DIRECTIVE)) {
    const at = start + match.index;
    const name = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim();
    add(source.text.slice(end, at));
    end = at + match[0].length;
    const report = (code: Parameters<Reporter["report"]>[0], why: string) =>
      budget.reporter.report(code, placeIn(source, { start: at, end }), `'${name}', which is included here, ${why}`);
    parts.push(include(name, source.file, chain, budget, report));
  }
  add(source.text.slice(end));
  return parts.join("");
}

function include(
  name: string,
  from: string,
  chain: readonly string[],
  budget: Budget,
  report: (code: Parameters<Reporter["report"]>[0], why: string) => void,
): string {
  if (budget.includes < 0) return "";
  budget.includes = budget.characters < 0 ? -1 : budget.includes - 1;
  if (budget.includes < 0) {
    report("too-large", `makes the prompt larger than ${MAX_CHARACTERS} characters or ${MAX_INCLUDES} files`);
    return "";
  }
  const file = findIncluded(name, from, budget.root);
  const real = resolveInside(file, budget.root);
  const path = "problem" in real ? file : real.path;
  if (chain.includes(path)) {
    const circle = [...chain.slice(chain.indexOf(path)), path].map((each) => basename(each));
    report("reference-cycle", `includes itself: ${circle.join(" -> ")}`);
  } else if (chain.length > MAX_DEPTH) report("too-large", `is included more than ${MAX_DEPTH} levels deep`);
  else if (/^\.env\b/.test(basename(path))) report("unreadable", "may hold secrets, and is not read");
  else {
    const result = readText(file, budget.root);
    if ("text" in result) {
      const source = createSource(file, result.text);
      const body = splitFrontmatter(source, silentReporter)?.bodyStart ?? 0;
      return expand(source, body, [...chain, path], budget);
    }
    const where = result.problem.code === "not-found" ? ", neither beside this file nor in the project root" : "";
    report(result.problem.code, `${result.problem.message}${where}`);
  }
  return "";
}

/** A name is relative to the file that includes it, or else to the project's root. */
function findIncluded(name: string, from: string, root: string): string {
  const beside = resolve(dirname(from), name);
  const atRoot = join(root, name);
  const isBeside = !("problem" in resolveInside(beside, root)) || "problem" in resolveInside(atRoot, root);
  return isBeside ? beside : atRoot;
}
