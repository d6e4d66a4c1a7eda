import type { CrewInput } from "../runtime/bring-files.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** An input as a client sends it: its files are bytes or addresses, since a path would be one of the server's machine. */
export type ClientInput = string | { readonly text: string; readonly attachments?: ClientFiles };

/** Files of an input or answer. */
export type ClientFiles = readonly Omit<AttachmentInput, "path">[] | undefined;

/** The text of an input, and its files. */
export function splitInput(input: CrewInput | ClientInput): { readonly text: string; readonly files: ClientFiles } {
  if (typeof input === "string") return { text: input, files: undefined };
  const { text, attachments } = input;
  if (attachments !== undefined && !Array.isArray(attachments))
    throw new BatonError("bad-option", "'attachments' must be a list such as [{ bytes, name }]");
  return { text, files: attachments };
}

/** A body with files is a form: its fields first, then the files, which the server stores as they come. */
export function writeBody(body: Readonly<Record<string, unknown>>, files: ClientFiles): unknown {
  if (files === undefined || files.length === 0) return body;
  const form = new FormData();
  const addresses = files.filter(({ url }) => url !== undefined);
  const fields = addresses.length === 0 ? body : { ...body, attachments: addresses };
  for (const [key, value] of Object.entries(fields))
    if (value !== undefined) form.append(key, typeof value === "string" ? value : JSON.stringify(value));
  for (const { bytes, name = "file", mediaType, url, ...others } of files) {
    if ("path" in others)
      throw new BatonError("bad-option", "a path is one of the server's machine: read the file, and give its 'bytes'");
    if (url === undefined) form.append("file", toBlob(bytes, mediaType), name);
  }
  return form;
}

function toBlob(bytes: AttachmentInput["bytes"], mediaType = "application/octet-stream"): Blob {
  if (bytes === undefined) throw new BatonError("bad-option", "an attachment needs 'bytes' or 'url'");
  const content = typeof bytes === "string" ? Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)) : bytes;
  // Blobs take every kind of array; the types tell shared memory from other memory.
  return new Blob([content as ArrayBuffer], { type: mediaType });
}
