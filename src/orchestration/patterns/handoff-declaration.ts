import { type OpenFence, readLinePrefix, updateFence } from "../../signals/fences.ts";

/** A transfer that is written in an answer, by a model that has no tools. */
export interface Declaration {
  readonly to: string;
  readonly reason: string | undefined;
  /** A JSON object, or else text. */
  readonly context: unknown;
}

/** An answer's declarations, and what else it says. */
export interface Declared {
  readonly declarations: readonly Declaration[];
  readonly rest: string;
}

const MENTION = /handoff declaration/i;
const HEADER =
  /^[\s*_#\p{Extended_Pictographic}\p{Variation_Selector}]*handoff declaration[\s*_#]*(?:[:：][\s*_#]*)?$/iu;
const FIELD = /^[\s*_#+•-]*(?:\d[.)]\s+[*_]*)?(to|reason|context)[\s*_]*[:：][\s*_]*(.*)$/i;

/**
 * Reads `HANDOFF DECLARATION:` blocks (`To:`, `Reason:`, `Context:`); not in a quote, and in code only where they are all of a
 * fence that ends the answer. Most answers have none.
 */
export function readDeclarations(text: string): Declared | undefined {
  if (!MENTION.test(text)) return undefined;
  const lines = withoutLastFence(text.split(/\r?\n/));
  const starts = headersIn(lines);
  const blocks = blocksAt(starts, lines);
  const [first] = starts;
  const declarations = blocks.flatMap(({ declaration }) => declaration ?? []);
  if (first === undefined || declarations.length === 0) return undefined;
  const after = blocks.flatMap(({ rest }) => rest);
  return { declarations, rest: [...lines.slice(0, first), ...after].join("\n").trim() };
}

function blocksAt(starts: readonly number[], lines: readonly string[]): Block[] {
  return starts.map((start, index) => readBlock(lines.slice(start + 1, starts[index + 1])));
}

/** Prompts show declarations in a code fence, and models copy the fence: where it ends the answer it is no mere mention. */
function withoutLastFence(lines: readonly string[]): readonly string[] {
  const fence = lastFence(lines);
  if (fence === undefined) return lines;
  const inside = lines.slice(fence.first + 1, fence.last);
  return isAllDeclarations(inside) ? [...lines.slice(0, fence.first), ...inside] : lines;
}

/** The marks of a closed code fence that nothing follows. */
function lastFence(lines: readonly string[]): { readonly first: number; readonly last: number } | undefined {
  let open: OpenFence | undefined;
  let first = 0;
  let found: { readonly first: number; readonly last: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const before = open;
    open = updateFence(line, readLinePrefix(line, 0, line.length), line.length, before);
    if (before === undefined && open !== undefined) first = index;
    if (before !== undefined && open === undefined) found = before.quoted ? undefined : { first, last: index };
    else if (line.trim() !== "") found = undefined;
  }
  return found;
}

function isAllDeclarations(lines: readonly string[]): boolean {
  const starts = headersIn(lines);
  const isBlank = (each: readonly string[]) => each.every((line) => line.trim() === "");
  return (
    starts.length > 0 &&
    isBlank(lines.slice(0, starts[0])) &&
    blocksAt(starts, lines).every(({ declaration, rest }) => declaration !== undefined && isBlank(rest))
  );
}

/** The lines that begin a declaration. */
function headersIn(lines: readonly string[]): number[] {
  const found: number[] = [];
  let fence: OpenFence | undefined;
  for (const [index, line] of lines.entries()) {
    const before = fence;
    const prefix = readLinePrefix(line, 0, line.length);
    fence = updateFence(line, prefix, line.length, before);
    const isOutside = before === undefined && fence === undefined && !prefix.quoted;
    if (isOutside && HEADER.test(line)) found.push(index);
  }
  return found;
}

interface Block {
  readonly declaration: Declaration | undefined;
  /** Lines that belong to the answer and not to the declaration. */
  readonly rest: readonly string[];
}

type Field = "to" | "reason" | "context";

/** The lines of a declaration; one that names nobody is none, and the header was a mere mention. */
function readBlock(lines: readonly string[]): Block {
  const fields = new Map<Field, string[]>();
  let field: Field | undefined;
  let end = 0;
  for (const [index, line] of lines.entries()) {
    const next = fieldIn(line, fields);
    if (next === undefined && endsField(line, field)) field = undefined;
    if (next !== undefined) {
      field = next.field;
      fields.set(field, [next.text]);
    } else if (field !== undefined) fields.get(field)?.push(line);
    else if (line.trim() !== "") break;
    end = index + 1;
  }
  const to = plain(fields.get("to") ?? []);
  if (to === "") return { declaration: undefined, rest: lines };
  const { context, rest } = readContext((fields.get("context") ?? []).join("\n").trim());
  const reason = plain(fields.get("reason") ?? []);
  return {
    declaration: { to, reason: reason === "" ? undefined : reason, context },
    rest: [...(rest === "" ? [] : [rest]), ...lines.slice(end)],
  };
}

/** A field that begins on a line and was not there before. */
function fieldIn(
  line: string,
  fields: ReadonlyMap<Field, unknown>,
): { readonly field: Field; readonly text: string } | undefined {
  const [, name, text] = FIELD.exec(line) ?? [];
  if (name === undefined || text === undefined) return undefined;
  // One of the three, as the expression has it.
  const field = name.toLowerCase() as Field;
  return fields.has(field) ? undefined : { field, text };
}

/** A name stands on one line, a reason ends with its paragraph, a context takes all that follows. */
function endsField(line: string, field: Field | undefined): boolean {
  return field === "to" || (field === "reason" && line.trim() === "");
}

const AROUND = "*_`\"' \t\r\n";

/** Without the emphasis and quotes that stand around it. */
function plain(lines: readonly string[]): string {
  const text = lines.join("\n");
  let start = 0;
  let end = text.length;
  while (start < end && AROUND.includes(text.charAt(start))) start++;
  while (end > start && AROUND.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** A JSON object, perhaps in a code block, with what stands behind it; else all of it is text. */
function readContext(text: string): { readonly context: unknown; readonly rest: string } {
  const open = /^```[a-z]*\s*/i.exec(text)?.[0] ?? "";
  const body = text.slice(open.length);
  const close = open === "" ? -1 : body.indexOf("```");
  const json = close === -1 ? body : body.slice(0, close);
  const end = endOfObject(json);
  const context = end === undefined ? undefined : parseObject(json.slice(0, end));
  if (context === undefined || end === undefined) return { context: text === "" ? {} : text, rest: "" };
  const rest = close === -1 ? body.slice(end) : body.slice(close + 3);
  return { context, rest: rest.trim() };
}

/** Where the braces of an object that begins a text are closed. */
function endOfObject(text: string): number | undefined {
  if (!text.startsWith("{")) return undefined;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (!isString && character === "{") depth++;
    else if (!isString && character === "}" && --depth === 0) return at + 1;
  }
  return undefined;
}

function parseObject(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
