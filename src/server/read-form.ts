import { Refusal } from "./problem.ts";

/** A part of a form: a field, or a file if it has a file's name. Its content is read when it is asked for. */
export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  /** The content; refused where it has more bytes. It must be read before the next part is asked for. */
  read(maxBytes: number): Promise<Buffer>;
}

/** Headers of a part are short. */
const MAX_HEADERS = 8192;
const MAX_PARTS = 1000;
const LINE = Buffer.from("\r\n");
const EMPTY_LINE = Buffer.from("\r\n\r\n");

/** The boundary of a form's parts; undefined if the type of the content is not that of a form. */
export function readBoundary(contentType: string | undefined): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? "")) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? "") ?? [];
  return quoted ?? plain;
}

/** Reads a form (RFC 7578) part by part as it comes. Never more than one part is held. */
export async function* readForm(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const end = Buffer.from(`\r\n--${boundary}`);
  const source = new Source(body);
  // What stands before the first boundary is nobody's.
  await source.readUntil(end, MAX_HEADERS, "the form");
  for (let count = 0; (await source.read(2)).equals(LINE); count++) {
    if (count === MAX_PARTS) throw new Refusal("bad-request", `a form has at most ${MAX_PARTS} parts`);
    const headers = await source.readUntil(EMPTY_LINE, MAX_HEADERS, "the headers of a part");
    let content: Promise<Buffer> | undefined;
    const { name, filename, type } = readHeaders(headers.toString("utf8"));
    const read = (maxBytes: number) => {
      content ??= source.readUntil(end, maxBytes, `'${filename ?? name}'`);
      return content;
    };
    yield { name, filename, type, read };
    // A part that nobody wanted is read past, bounded as the body is by its connection.
    if (content === undefined) await source.skipUntil(end);
    else await content;
  }
}

function readHeaders(text: string): Pick<FormPart, "name" | "filename" | "type"> {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(text)?.[1] ?? "";
  const name = readParameter(disposition, "name");
  if (name === undefined) throw new Refusal("bad-request", "a part of the form has no name");
  const type = /^content-type:\s*(\S+)/im.exec(text)?.[1];
  return { name, filename: readParameter(disposition, "filename"), type };
}

/** Browsers write quotes and line breaks in names as `%22` and `%0D%0A`, and all else as it is. */
function readParameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s;"]+))`, "i").exec(disposition);
  const value = found?.[1]?.replaceAll(/\\(.)/g, "$1") ?? found?.[2];
  return value?.replaceAll("%22", '"').replaceAll(/%0D|%0A/gi, " ");
}

/** Bytes that come in pieces. */
class Source {
  readonly #body: AsyncIterator<Uint8Array>;
  #rest: Buffer = LINE;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body[Symbol.asyncIterator]();
  }

  async read(length: number): Promise<Buffer> {
    while (this.#rest.length < length) await this.#more(this.#rest);
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** What stands before the mark, which is read past. */
  async readUntil(mark: Buffer, maxBytes: number, what: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    await this.#scan(mark, (part) => {
      size += part.length;
      if (size > maxBytes) throw new Refusal("body-too-large", `${what} has more than ${maxBytes} bytes`);
      parts.push(part);
    });
    return Buffer.concat(parts);
  }

  async skipUntil(mark: Buffer): Promise<void> {
    await this.#scan(mark, () => {});
  }

  async #scan(mark: Buffer, onPart: (part: Buffer) => void): Promise<void> {
    for (;;) {
      const at = this.#rest.indexOf(mark);
      if (at !== -1) {
        onPart(this.#rest.subarray(0, at));
        this.#rest = this.#rest.subarray(at + mark.length);
        return;
      }
      // The mark may have begun.
      const certain = Math.max(0, this.#rest.length - mark.length + 1);
      onPart(this.#rest.subarray(0, certain));
      await this.#more(this.#rest.subarray(certain));
    }
  }

  async #more(left: Buffer): Promise<void> {
    const next = await this.#body.next();
    if (next.done) throw new Refusal("bad-request", "the form ends before its last boundary");
    this.#rest = Buffer.concat([left, next.value]);
  }
}
