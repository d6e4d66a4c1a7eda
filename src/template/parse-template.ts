/** A template, read. Nothing in it executes: names are looked up, and the only operations are those listed here. */
type TemplatePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "value"; readonly name: readonly string[]; readonly filters: readonly TemplateFilter[] }
  | {
      readonly type: "if";
      readonly name: readonly string[];
      readonly body: TemplatePart[];
      readonly otherwise: TemplatePart[];
    }
  | { readonly type: "range"; readonly name: readonly string[]; readonly body: TemplatePart[] };

type TemplateFilter =
  | { readonly type: "default"; readonly text: string }
  | { readonly type: "truncate"; readonly characters: number }
  | { readonly type: "json" };

interface TemplateProblem {
  readonly code: "unknown-template-name" | "bad-template";
  readonly message: string;
  /** The unknown name, for a suggestion. */
  readonly name?: string;
}

export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[];
  readonly problems: readonly TemplateProblem[];
}

/** The names a template may use; the last two are looked up further: `.PreviousResults.team-alpha`. */
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

const NAME = /^\.([A-Za-z][\w-]*)?(?:\.[\w-]+)*$/;
const FILTERS = /\|\s*(?:(default)\s+"([^"]*)"|(truncate)\s+(\d{1,9})|(json))\s*/y;

interface OpenBlock {
  readonly word: "if" | "range";
  readonly outer: TemplatePart[];
  readonly otherwise: TemplatePart[] | undefined;
  hasElse: boolean;
}

/** Reads `{{.Name}}`, `{{if .Name}}…{{else}}…{{end}}`, `{{range .Name}}…{{end}}` and filters, in one pass. */
export function parseTemplate(template: string): ParsedTemplate {
  const problems: TemplateProblem[] = [];
  const root: TemplatePart[] = [];
  const blocks: OpenBlock[] = [];
  let parts = root;
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{{", at);
    const close = open === -1 ? -1 : template.indexOf("}}", open);
    if (open !== at) parts.push({ type: "text", text: template.slice(at, open === -1 ? undefined : open) });
    if (open === -1) break;
    if (close === -1) {
      problems.push(bad(`'{{' is never closed by '}}'`));
      break;
    }
    parts = readAction(template.slice(open + 2, close).trim(), parts, blocks, problems);
    at = close + 2;
  }
  for (const block of blocks) problems.push(bad(`'{{${block.word}}}' is never closed by '{{end}}'`));
  return { parts: root, problems };
}

/** Reads what stands between the braces; returns the list that what follows belongs to. */
function readAction(
  action: string,
  parts: TemplatePart[],
  blocks: OpenBlock[],
  problems: TemplateProblem[],
): TemplatePart[] {
  const block = blocks.at(-1);
  if (action === "end" || action === "else") {
    if (block === undefined || (action === "else" && (block.otherwise === undefined || block.hasElse))) {
      problems.push(bad(`'{{${action}}}' without an open '{{if}}'`));
      return parts;
    }
    if (action === "else") {
      block.hasElse = true;
      return block.otherwise ?? parts;
    }
    blocks.pop();
    return block.outer;
  }
  const word = /^(if|range)\s/.exec(action)?.[1];
  if (word === "if") {
    const part = {
      type: "if",
      name: readName(action.slice(2).trim(), problems),
      body: [],
      otherwise: [],
    } satisfies TemplatePart;
    return openBlock({ word, outer: parts, otherwise: part.otherwise, hasElse: false }, part, part.body, blocks);
  }
  if (word === "range") {
    const part = { type: "range", name: readName(action.slice(5).trim(), problems), body: [] } satisfies TemplatePart;
    return openBlock({ word, outer: parts, otherwise: undefined, hasElse: false }, part, part.body, blocks);
  }
  parts.push(readValue(action, problems));
  return parts;
}

function openBlock(block: OpenBlock, part: TemplatePart, inner: TemplatePart[], blocks: OpenBlock[]): TemplatePart[] {
  block.outer.push(part);
  blocks.push(block);
  return inner;
}

function readValue(action: string, problems: TemplateProblem[]): TemplatePart {
  const bar = action.indexOf("|");
  const name = readName((bar === -1 ? action : action.slice(0, bar)).trim(), problems);
  const filters: TemplateFilter[] = [];
  FILTERS.lastIndex = bar === -1 ? action.length : bar;
  while (FILTERS.lastIndex < action.length) {
    const match = FILTERS.exec(action);
    if (match === null) {
      problems.push(bad(`unknown filter in '{{${action}}}': use | default "…", | truncate N or | json`));
      break;
    }
    filters.push(filterOf(match));
  }
  return { type: "value", name, filters };
}

function filterOf([, isDefault, text, isTruncate, characters]: RegExpExecArray): TemplateFilter {
  if (isDefault !== undefined) return { type: "default", text: text ?? "" };
  return isTruncate === undefined ? { type: "json" } : { type: "truncate", characters: Number(characters) };
}

/** `.PreviousResults.team-alpha` as its words; `.` alone, inside a range, as none. */
function readName(name: string, problems: TemplateProblem[]): string[] {
  const [, first] = NAME.exec(name) ?? [];
  if (name !== "." && first === undefined) {
    problems.push(bad(`'{{${name}}}' is not a name such as '{{.Input}}'`));
    return [];
  }
  if (first !== undefined && !templateNames.some((known) => known === first)) {
    problems.push({ code: "unknown-template-name", message: `unknown name '.${first}' in template`, name: first });
  }
  return name === "." ? [] : name.slice(1).split(".");
}

function bad(message: string): TemplateProblem {
  return { code: "bad-template", message };
}
