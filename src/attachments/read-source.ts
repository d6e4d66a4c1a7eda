import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type FetchRules, fetchOuter } from "../tools/builtin/fetch-outer.ts";
import { resolveBelow } from "../tools/builtin/file-scope.ts";
import { formatBytes } from "../vocabulary/attachment.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";
import { cleanName } from "./clean-name.ts";

/** How the content of a file is got. */
export interface SourceRules extends Pick<FetchRules, "hosts" | "isPrivate"> {
  /** The folder that relative paths begin at. */
  readonly folder: string;
  /** Whether files must be in that folder, and may not be those that agents never get. */
  readonly isConfined: boolean;
  readonly maxBytes: number;
}

/** A file as it was brought, with a name that is only a name. */
export interface BroughtFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** What it was said to be. */
  readonly declared: string | undefined;
}

/** Gets the content of a file. Nothing of more than `maxBytes` is ever held. */
export async function readSource(
  input: AttachmentInput,
  rules: SourceRules,
  signal: AbortSignal = new AbortController().signal,
): Promise<BroughtFile> {
  const { path, url, bytes, mediaType: declared } = input;
  if (path !== undefined) return { ...(await readPath(path, input.name, rules)), declared };
  if (url !== undefined) return readUrl(url, input, rules, signal);
  if (bytes === undefined) throw new Error("whoever calls this has looked for a source");
  const name = cleanName(input.name ?? "file");
  const size = measureSize(bytes);
  if (size > rules.maxBytes) throw tooLarge(name, size, rules.maxBytes);
  return { name, content: await readBytes(bytes, name), declared };
}

async function readPath(
  path: string,
  given: string | undefined,
  { folder, isConfined, maxBytes }: SourceRules,
): Promise<Omit<BroughtFile, "declared">> {
  const name = cleanName(given ?? basename(path));
  try {
    // A pipe or device would be waited for.
    const file = isConfined ? await resolveBelow(folder, path) : resolve(folder, path);
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = await handle.stat();
      if (!status.isFile()) throw new BatonError("bad-attachment", `'${path}' is not a file`);
      if (status.size > maxBytes) throw tooLarge(name, status.size, maxBytes);
      const content = await handle.readFile();
      if (content.byteLength > maxBytes) throw tooLarge(name, content.byteLength, maxBytes);
      return { name, content };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof BatonError) throw error;
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    const why = isAbsent ? "there is no such file" : describeThrown(error);
    throw new BatonError("bad-attachment", `'${path}' cannot be read: ${why}`, { cause: error });
  }
}

async function readUrl(
  address: string,
  { name, mediaType }: AttachmentInput,
  { hosts, isPrivate, maxBytes }: SourceRules,
  signal: AbortSignal,
): Promise<BroughtFile> {
  try {
    const { url, status, type, body } = await fetchOuter(
      address,
      { hosts, isPrivate, maxBytes, accept: "*/*" },
      signal,
    );
    if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
    const own = url.pathname.split("/").at(-1) ?? "";
    return { name: cleanName(name ?? decodePart(own)), content: body, declared: mediaType ?? type };
  } catch (error) {
    throw new BatonError("bad-attachment", `'${withoutQuery(address)}' cannot be fetched: ${describeThrown(error)}`, {
      cause: error,
    });
  }
}

/** A query may hold a key. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, "");
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function measureSize(bytes: NonNullable<AttachmentInput["bytes"]>): number {
  if (typeof bytes === "string") return Math.floor((bytes.length * 3) / 4) - 2;
  return bytes instanceof Blob ? bytes.size : bytes.byteLength;
}

async function readBytes(bytes: NonNullable<AttachmentInput["bytes"]>, name: string): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (bytes instanceof Blob) return new Uint8Array(await bytes.arrayBuffer());
  if (!/^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(bytes))
    throw new BatonError("bad-attachment", `the bytes of '${name}' are text, and not in base64`);
  return Buffer.from(bytes, "base64");
}

export function tooLarge(name: string, bytes: number, maxBytes: number): BatonError {
  const message = `'${name}' has ${formatBytes(bytes)}, and at most ${formatBytes(maxBytes)} are taken, see 'max_attachment_mb'`;
  return new BatonError("attachment-too-large", message);
}
