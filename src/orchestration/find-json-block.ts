import { isTooDeep } from "../session/bound-calls.ts";

/** The value of a block of JSON, or why there is none. */
export type JsonBlock = { readonly value: unknown } | { readonly problem: string };

/** Where a block begins and ends. An unclosed one has no end. */
interface Block {
  readonly start: number;
  readonly beginsLine: boolean;
  readonly end: number | undefined;
}

/** An object or a list that is being read, and what may come next in it. */
interface Container {
  readonly isObject: boolean;
  expected: "first" | "key" | "colon" | "value" | "comma";
  /** Whether anything in it was read to its end. */
  hasBegun: boolean;
}

const OPENING = /[[{]/g;
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Finds the last object or list of JSON in a text, in one pass. A mere `[1]` within a line is left out where there is anything else. If the
 * last block is not closed, that is the problem: its author meant that block, and no earlier one.
 */
export function findJsonBlock(text: string): JsonBlock {
  const blocks = listBlocks(text);
  const block =
    blocks.findLast((each) => isMeant(text, each)) ?? blocks.findLast(({ end }) => end !== undefined) ?? blocks.at(-1);
  if (block === undefined) return { problem: "it has no JSON" };
  try {
    // An unclosed block is parsed, too: the parser says where it breaks.
    const value: unknown = JSON.parse(text.slice(block.start, block.end));
    return isTooDeep(value) ? { problem: "its JSON is nested too deep" } : { value };
  } catch (error) {
    return { problem: `its JSON is broken: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Whether a block is written as JSON, and no part of a sentence such as "see [1, 2]" or "see [1, p. 5]". */
function isMeant(text: string, { start, end, beginsLine }: Block): boolean {
  if (beginsLine) return true;
  return end === undefined ? text[start] === "{" : !/^\[[\d\s,.]*\]$/.test(text.slice(start, end));
}

/** Lists the outermost blocks. What does not even begin as JSON, such as `[NEXT]`, is none. */
function listBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const open: Container[] = [];
  let start = -1;
  let beginsLine = false;
  /** All open containers end at the same place, incomplete. */
  const drop = () => {
    const [outermost] = open.splice(0);
    if (outermost?.hasBegun) blocks.push({ start, beginsLine, end: undefined });
  };
  for (let at = 0; at < text.length; ) {
    if (open.length === 0) {
      OPENING.lastIndex = at;
      const opening = OPENING.exec(text);
      if (opening === null) break;
      // Only what stands behind the opening before it is looked at, so that nothing is looked at twice.
      const line = text.slice(start + 1, opening.index).split("\n");
      beginsLine = (start === -1 || line.length > 1) && line.at(-1)?.trim() === "";
      start = opening.index;
      at = openContainer(open, text, start);
      continue;
    }
    const next = readToken(text, at, open);
    if (next === undefined) drop();
    else if (open.length === 0) blocks.push({ start, beginsLine, end: next });
    at = next ?? at;
  }
  drop();
  return blocks;
}

function openContainer(open: Container[], text: string, start: number): number {
  open.push({ isObject: text[start] === "{", expected: "first", hasBegun: false });
  return start + 1;
}

/** Reads a token of the innermost container; gives the place behind it, or nothing if no JSON goes on like this. */
function readToken(text: string, at: number, open: Container[]): number | undefined {
  const container = open.at(-1);
  const character = text[at] ?? "";
  if (container === undefined) return undefined;
  const { isObject, expected } = container;
  switch (character) {
    case " ":
    case "\t":
    case "\n":
    case "\r":
      return at + 1;
    case "}":
    case "]":
      if (isObject !== (character === "}") || (expected !== "first" && expected !== "comma")) return undefined;
      open.pop();
      return begun(open, at + 1);
    case ",":
      if (expected !== "comma") return undefined;
      container.expected = isObject ? "key" : "value";
      return at + 1;
    case ":":
      if (expected !== "colon") return undefined;
      container.expected = "value";
      return at + 1;
    default:
      return isObject && (expected === "first" || expected === "key")
        ? readKey(text, at, container, open)
        : readValue(text, at, container, open);
  }
}

function readKey(text: string, at: number, container: Container, open: readonly Container[]): number | undefined {
  const end = findEnd(STRING, text, at);
  if (end === undefined) return undefined;
  container.expected = "colon";
  return begun(open, end);
}

function readValue(text: string, at: number, container: Container, open: Container[]): number | undefined {
  if (container.expected !== "value" && container.expected !== "first") return undefined;
  const isContainer = text[at] === "{" || text[at] === "[";
  const end = isContainer ? at + 1 : findEnd(text[at] === '"' ? STRING : ATOM, text, at);
  if (end === undefined) return undefined;
  container.expected = "comma";
  return isContainer ? openContainer(open, text, at) : begun(open, end);
}

function begun([outermost]: readonly Container[], end: number): number {
  if (outermost !== undefined) outermost.hasBegun = true;
  return end;
}

function findEnd(token: RegExp, text: string, at: number): number | undefined {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : undefined;
}
