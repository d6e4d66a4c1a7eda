/** A regular expression as a tree. Whether it is greedy does not matter to whether it matches. */
export type RegexNode =
  | { readonly type: "char"; fits(char: string): boolean }
  | { readonly type: "edge"; readonly edge: Edge }
  | { readonly type: "sequence"; readonly items: readonly RegexNode[] }
  | { readonly type: "choice"; readonly options: readonly RegexNode[] }
  | { readonly type: "repeat"; readonly item: RegexNode; readonly min: number; readonly max: number };

/** What holds between two characters. */
export type Edge = "start" | "end" | "boundary" | "inside";

/** Why an expression is not taken, to complete "it …". */
export class RegexRefused extends Error {}

const MAX_DEPTH = 50;
const edges: Readonly<Record<string, Edge>> = { "^": "start", $: "end", "\\b": "boundary", "\\B": "inside" };

/** Reads an expression that JavaScript takes with these flags, unless it has what cannot be matched in linear time. */
export function parseRegex(source: string, flags: "u" | ""): RegexNode {
  const reader: Reader = { source, flags, at: 0, depth: 0 };
  return readChoice(reader);
}

interface Reader {
  readonly source: string;
  readonly flags: "u" | "";
  at: number;
  depth: number;
}

function readChoice(reader: Reader): RegexNode {
  if (++reader.depth > MAX_DEPTH) throw new RegexRefused(`has groups nested more than ${MAX_DEPTH} deep`);
  const options = [readSequence(reader)];
  while (reader.source[reader.at] === "|") {
    reader.at++;
    options.push(readSequence(reader));
  }
  reader.depth--;
  return { type: "choice", options };
}

function readSequence(reader: Reader): RegexNode {
  const items: RegexNode[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at)))
    items.push(readRepeat(reader, readItem(reader)));
  return { type: "sequence", items };
}

function readRepeat(reader: Reader, item: RegexNode): RegexNode {
  const written = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at, reader.at + 40));
  if (written === null) return item;
  reader.at += written[0].length;
  const [sign, from, comma, to] = written;
  if (from === undefined)
    return { type: "repeat", item, min: sign.startsWith("+") ? 1 : 0, max: sign.startsWith("?") ? 1 : Infinity };
  const max = comma === "" ? Number(from) : to === "" ? Infinity : Number(to);
  return { type: "repeat", item, min: Number(from), max };
}

function readItem(reader: Reader): RegexNode {
  const written = atomAt(reader);
  if (written === "(") return readGroup(reader);
  reader.at += written.length;
  const edge = edges[written];
  if (edge !== undefined) return { type: "edge", edge };
  return {
    type: "char",
    fits: written.length === 1 && written !== "." ? (char) => char === written : fitter(written, reader.flags),
  };
}

function readGroup(reader: Reader): RegexNode {
  const [opening = ""] = /^\((?:\?(?::|<(?![=!])[^>]*>|[^:)]{0,9}))?/.exec(reader.source.slice(reader.at)) ?? [];
  if (/^\(\?<?[=!]/.test(opening)) throw new RegexRefused("looks ahead or behind, which may take for ever");
  if (opening.startsWith("(?") && !/^\(\?[:<]/.test(opening)) throw new RegexRefused("changes its flags in between");
  reader.at += opening.length;
  const node = readChoice(reader);
  reader.at++;
  return node;
}

/** What stands for one character, or for an edge, as it is written. */
function atomAt({ source, flags, at }: Reader): string {
  const rest = source.slice(at, at + MAX_ATOM);
  if (rest.startsWith("[")) return classAt(rest);
  if (!rest.startsWith("\\")) return flags === "u" ? String.fromCodePoint(rest.codePointAt(0) ?? 0) : rest.charAt(0);
  if (/^\\(?:[1-9]|k<)/.test(rest)) throw new RegexRefused("refers back to a group, which may take for ever");
  const [written] = (flags === "u" ? unicodeEscape : plainEscape).exec(rest) ?? [];
  return written ?? rest;
}

const unicodeEscape =
  /^\\(?:ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[\s\S])/iu;
const plainEscape = /^\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[\s\S])/i;
const MAX_ATOM = 10_000;

function classAt(rest: string): string {
  const [written] = /^\[(?:[^\]\\]|\\[\s\S])*\]/.exec(rest) ?? [];
  if (written === undefined) throw new RegexRefused(`has a class of more than ${MAX_ATOM} characters`);
  return written;
}

/** JavaScript's own judgement of one character, remembered. */
function fitter(written: string, flags: string): (char: string) => boolean {
  const expression = new RegExp(`^(?:${written})$`, flags);
  const known = new Map<string, boolean>();
  return (char) => {
    let fits = known.get(char);
    if (fits === undefined) {
      fits = expression.test(char);
      if (known.size < 1000) known.set(char, fits);
    }
    return fits;
  };
}
