/** A template, read. Nothing in it executes: names are looked up, and the only operations are those listed here. */
export type TemplatePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "value"; readonly name: readonly string[]; readonly filters: readonly TemplateFilter[] }
  | {
      readonly type: "if";
      readonly name: readonly string[];
      readonly body: TemplatePart[];
      readonly otherwise: TemplatePart[];
    }
  | { readonly type: "range"; readonly name: readonly string[]; readonly body: TemplatePart[] };

export type TemplateFilter =
  | { readonly type: "default"; readonly text: string }
  | { readonly type: "truncate"; readonly characters: number }
  | { readonly type: "json" };

interface TemplateProblem {
  readonly code: "unknown-template-name" | "bad-template";
  readonly message: string;
  /** The part of the template that is wrong, as written. */
  readonly action: string;
  /** The unknown name, for a suggestion. */
  readonly name?: string;
}

export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[];
  /** Every name that is used, as its words. */
  readonly names: readonly (readonly string[])[];
  readonly problems: readonly TemplateProblem[];
}

/** The names a template may use. */
export const templateNames = [
  "Input",
  "CurrentInput",
  "OriginalInput",
  "PreviousResult",
  "Agent",
  "Crew",
  "Depth",
  "MaxDepth",
  "PreviousResults",
  "SharedData",
] as const;

/** The names that a template may use, and those that are looked up further: `.PreviousResults.team-alpha`. */
export interface TemplateScope {
  readonly names: readonly string[];
  readonly further: readonly string[];
}

/** For the input of sub-crews. */
export const crewScope: TemplateScope = { names: templateNames, further: ["PreviousResults", "SharedData"] };

/** For the input of a group's worker: one item of a list. */
export const itemScope: TemplateScope = { names: ["Item", "Index", "Input"], further: ["Item"] };

const NAME = /^\.[\p{L}_][\p{L}\p{M}\p{N}_-]*(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;
const FILTERS = /\|\s*(?:(default)\s+"([^"]*)"|(truncate)\s+(\d{1,9})|(json))\s*/y;

interface OpenBlock {
  readonly word: "if" | "range";
  readonly outer: TemplatePart[];
  /** Where what follows `{{else}}` goes; undefined where there can be no `{{else}}`, or was one. */
  otherwise: TemplatePart[] | undefined;
}

/** What reading has found so far. */
interface Reading {
  readonly scope: TemplateScope;
  readonly problems: TemplateProblem[];
  readonly names: string[][];
  readonly blocks: OpenBlock[];
}

/** Reads `{{.Name}}`, `{{if .Name}}…{{else}}…{{end}}`, `{{range .Name}}…{{end}}` and filters, in one pass. */
export function parseTemplate(template: string, scope = crewScope): ParsedTemplate {
  const reading: Reading = { scope, problems: [], names: [], blocks: [] };
  const root: TemplatePart[] = [];
  let parts = root;
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{{", at);
    const close = open === -1 ? -1 : findClose(template, open);
    if (open !== at) parts.push({ type: "text", text: template.slice(at, open === -1 ? undefined : open) });
    if (open === -1) break;
    if (close === -1) {
      reading.problems.push(bad(`'{{' is never closed by '}}'`, "{{"));
      break;
    }
    parts = readAction(template.slice(open + 2, close).trim(), parts, reading);
    at = close + 2;
  }
  for (const { word } of reading.blocks)
    reading.problems.push(bad(`'{{${word}}}' is never closed by '{{end}}'`, `{{${word}`));
  return { parts: root, names: reading.names, problems: reading.problems };
}

/** The `}}` that closes an action; those inside a quoted text do not. */
function findClose(template: string, open: number): number {
  let isQuoted = false;
  for (let at = open + 2; at < template.length; at++) {
    if (template[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && template[at] === "}" && template[at + 1] === "}") return at;
  }
  return -1;
}

/** Reads what stands between the braces; returns the list that what follows belongs to. */
function readAction(action: string, parts: TemplatePart[], reading: Reading): TemplatePart[] {
  if (action === "else") return readElse(parts, reading);
  if (action === "end") return readEnd(parts, reading);
  const word = /^(if|range)(?:\s|$)/.exec(action)?.[1];
  if (word === "if") {
    const name = readName(action.slice(2).trim(), reading);
    const part = { type: "if", name, body: [], otherwise: [] } satisfies TemplatePart;
    parts.push(part);
    reading.blocks.push({ word, outer: parts, otherwise: part.otherwise });
    return part.body;
  }
  if (word === "range") {
    // Ranges within ranges would multiply what is written.
    if (reading.blocks.some((block) => block.word === "range"))
      reading.problems.push(bad("'{{range}}' inside another '{{range}}'", action));
    const part = { type: "range", name: readName(action.slice(5).trim(), reading), body: [] } satisfies TemplatePart;
    parts.push(part);
    reading.blocks.push({ word, outer: parts, otherwise: undefined });
    return part.body;
  }
  parts.push(readValue(action, reading));
  return parts;
}

function readElse(parts: TemplatePart[], { blocks, problems }: Reading): TemplatePart[] {
  const block = blocks.at(-1);
  const otherwise = block?.otherwise;
  if (block === undefined || otherwise === undefined) {
    problems.push(bad(`'{{else}}' without an open '{{if}}'`, "{{else}}"));
    return parts;
  }
  block.otherwise = undefined;
  return otherwise;
}

function readEnd(parts: TemplatePart[], { blocks, problems }: Reading): TemplatePart[] {
  const block = blocks.pop();
  if (block === undefined) problems.push(bad(`'{{end}}' without an open '{{if}}' or '{{range}}'`, "{{end}}"));
  return block?.outer ?? parts;
}

function readValue(action: string, reading: Reading): TemplatePart {
  const bar = action.indexOf("|");
  const name = readName((bar === -1 ? action : action.slice(0, bar)).trim(), reading);
  const filters: TemplateFilter[] = [];
  FILTERS.lastIndex = bar === -1 ? action.length : bar;
  while (FILTERS.lastIndex < action.length) {
    const match = FILTERS.exec(action);
    if (match === null) {
      reading.problems.push(
        bad(`unknown filter in '{{${action}}}': use | default "…", | truncate N or | json`, action),
      );
      break;
    }
    filters.push(readFilter(match));
  }
  return { type: "value", name, filters };
}

function readFilter([, isDefault, text, isTruncate, characters]: RegExpExecArray): TemplateFilter {
  if (isDefault !== undefined) return { type: "default", text: text ?? "" };
  return isTruncate === undefined ? { type: "json" } : { type: "truncate", characters: Number(characters) };
}

/** `.PreviousResults.team-alpha` as its words; `.` alone, inside a range, as none. */
function readName(name: string, { scope, problems, names, blocks }: Reading): string[] {
  if (name === "." && blocks.some(({ word }) => word === "range")) return [];
  if (!NAME.test(name)) {
    problems.push(bad(`'{{${name}}}' is not a name such as '{{.Input}}'`, name));
    return [];
  }
  const words = name.slice(1).split(".");
  const [first = ""] = words;
  const isKnown = scope.names.includes(first) && (words.length === 1 || scope.further.includes(first));
  if (!isKnown) {
    problems.push({
      code: "unknown-template-name",
      message: `unknown name '${name}' in template`,
      name: `.${first}`,
      action: name,
    });
  }
  names.push(words);
  return words;
}

function bad(message: string, action: string): TemplateProblem {
  return { code: "bad-template", message, action };
}
