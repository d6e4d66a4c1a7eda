import { hash } from "node:crypto";

/** Shorter texts stay in their events. Most texts are short, and storing each only once would cost more than it saves. */
const LARGE_CHARS = 32 * 2 ** 10;
/** The least and the greatest length of a piece. The content decides where a piece ends. */
const MIN_PIECE = 2 * 2 ** 10;
const MAX_PIECE = 64 * 2 ** 10;
/** On average, one place in 8192 ends a piece. */
const END_MASK = (2 ** 13 - 1) << 18;

/** A 32-bit number for each character, in which all bits look random. */
const NUMBERS = Int32Array.from({ length: 256 }, (_, code) => {
  const mixed = Math.imul(code + 1, 0x9e3779b1);
  const again = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
  return Math.imul(again ^ (again >>> 13), 0xc2b2ae3d) ^ (again >>> 16);
});

/** A piece of a text, with the hash that identifies it. */
export interface Piece {
  readonly hash: string;
  /** Written as JSON, because neither UTF-8 nor SQLite can store half of a surrogate pair. */
  readonly json: string;
}

/** The place of a text in an event, and the hashes of its pieces. */
type Gap = readonly [path: readonly (string | number)[], ...hashes: string[]];

/** Whether the JSON of an event may contain texts that are stored in pieces. */
export function mayHaveLargeTexts(json: string): boolean {
  return json.length >= LARGE_CHARS;
}

/**
 * Takes large texts out of the JSON of an event. An answer appears in several events of its run, with a frame around it or
 * without its signal. Texts are cut by their content, so these copies have the same pieces, and each piece is stored once.
 */
export function takeOutTexts(json: string): { readonly json: string; readonly pieces: readonly Piece[] } {
  const gaps: Gap[] = [];
  const pieces: Piece[] = [];
  const without = mapTexts(JSON.parse(json), [], (text, path) => {
    if (text.length < LARGE_CHARS) return text;
    const cut = cutIntoPieces(text);
    pieces.push(...cut);
    gaps.push([path, ...cut.map((piece) => piece.hash)]);
    return "";
  });
  // An event is an object, so a list always means that texts were taken out.
  return gaps.length === 0 ? { json, pieces } : { json: JSON.stringify([without, gaps]), pieces };
}

/** Puts the texts back into an event. `find` returns a piece by its hash, or throws. */
export function putTextsBack(value: unknown, find: (hash: string) => string): unknown {
  if (!Array.isArray(value)) return value;
  // Only `takeOutTexts` writes lists, and the checksum proves that nobody has changed the text.
  const [event, gaps] = value as [unknown, readonly Gap[]];
  for (const gap of gaps) fillGap(event, gap, find);
  return event;
}

export function hashOfPiece(json: string): string {
  return hash("sha256", json, "base64url");
}

function fillGap(event: unknown, [path, ...hashes]: Gap, find: (hash: string) => string): void {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => (value as Container | undefined)?.[key], event);
  const last = path.at(-1);
  if (typeof parent !== "object" || parent === null || last === undefined) throw new Error("a text has no place");
  (parent as Container)[last] = hashes.map(find).join("");
}

type Container = Record<string | number, unknown>;

function mapTexts(
  value: unknown,
  path: readonly (string | number)[],
  map: (text: string, path: readonly (string | number)[]) => string,
): unknown {
  if (typeof value === "string") return map(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], map)]));
}

/** Ends a piece where the hash of the characters before has many zeros. Words that are put in front do not move any other end. */
function cutIntoPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let rolling = 0;
  for (let at = 0; at < text.length; at++) {
    // A character leaves the hash after 32 more characters.
    rolling = ((rolling << 1) + (NUMBERS[text.charCodeAt(at) & 255] ?? 0)) | 0;
    const length = at + 1 - start;
    const isEnd = (length >= MIN_PIECE && (rolling & END_MASK) === 0) || length === MAX_PIECE;
    if (!isEnd && at < text.length - 1) continue;
    const json = JSON.stringify(text.slice(start, at + 1));
    pieces.push({ hash: hashOfPiece(json), json });
    start = at + 1;
  }
  return pieces;
}
