import { isTextType } from "../vocabulary/attachment.ts";

/** What the first bytes of a file say of its type. `at` is where they stand. */
interface Mark {
  readonly type: string;
  readonly at?: number;
  readonly bytes: string;
  /** What must follow besides, and where. */
  readonly and?: { readonly at: number; readonly bytes: string };
}

const riff = (type: string, form: string): Mark => ({ type, bytes: "RIFF", and: { at: 8, bytes: form } });
const box = (type: string, brand: string): Mark => ({ type, at: 4, bytes: "ftyp", and: { at: 8, bytes: brand } });

const marks: readonly Mark[] = [
  { type: "image/png", bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", bytes: "\xff\xd8\xff" },
  { type: "image/gif", bytes: "GIF87a" },
  { type: "image/gif", bytes: "GIF89a" },
  riff("image/webp", "WEBP"),
  { type: "image/bmp", bytes: "BM", and: { at: 6, bytes: "\0\0\0\0" } },
  { type: "image/tiff", bytes: "II*\0" },
  { type: "image/tiff", bytes: "MM\0*" },
  ...["avif", "avis"].map((brand) => box("image/avif", brand)),
  ...["heic", "heix", "mif1", "msf1"].map((brand) => box("image/heic", brand)),
  { type: "application/pdf", bytes: "%PDF-" },
  riff("audio/wav", "WAVE"),
  { type: "audio/mpeg", bytes: "ID3" },
  { type: "audio/mpeg", bytes: "\xff\xfb" },
  { type: "audio/mpeg", bytes: "\xff\xf3" },
  { type: "audio/mpeg", bytes: "\xff\xf2" },
  { type: "audio/aac", bytes: "\xff\xf1" },
  { type: "audio/ogg", bytes: "OggS" },
  { type: "audio/flac", bytes: "fLaC" },
  { type: "audio/aiff", bytes: "FORM", and: { at: 8, bytes: "AIFF" } },
  box("audio/mp4", "M4A "),
  { type: "video/mp4", at: 4, bytes: "ftyp" },
  { type: "application/zip", bytes: "PK\x03\x04" },
  { type: "application/gzip", bytes: "\x1f\x8b" },
];

/** Types of text, by the ending of a name. Anything else that is text is plain. */
const texts: Readonly<Record<string, string>> = {
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  htm: "text/html",
  xml: "text/xml",
  svg: "text/xml",
  json: "application/json",
};

/** Bytes of control characters that text does not have: all but tab, line feed, form feed, carriage return and escape. */
const isControl = (byte: number) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte);

/**
 * What a file is, by its content. Neither its name nor whoever brought it is believed, but for which kind of text it is: all kinds
 * of text are treated alike.
 */
export function sniffType(content: Uint8Array, name: string, declared?: string): string {
  const head = Buffer.from(content.buffer, content.byteOffset, Math.min(64, content.byteLength)).toString("latin1");
  const mark = marks.find(({ at = 0, bytes, and }) => {
    return head.startsWith(bytes, at) && (and === undefined || head.startsWith(and.bytes, and.at));
  });
  if (mark !== undefined) return mark.type;
  if (!isText(content)) return "application/octet-stream";
  const named = texts[/\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ""];
  const said = declared?.split(";")[0]?.trim().toLowerCase() ?? "";
  return named ?? (isTextType(said) && Object.values(texts).includes(said) ? said : "text/plain");
}

function isText(content: Uint8Array): boolean {
  const text = decodeText(content);
  if (text === undefined) return false;
  return !content.some(isControl) || readsAsUtf16(content);
}

function readsAsUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** The text of a file: UTF-8, or UTF-16 where the file begins with its mark; undefined if it is neither. */
export function decodeText(content: Uint8Array): string | undefined {
  const encoding = readsAsUtf16(content) ? (content[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
