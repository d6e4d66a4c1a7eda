import { createHash } from "node:crypto";
import type { RunAttachments } from "../run/run-attachments.ts";
import { type Attachment, type AttachmentLimits, formatBytes } from "../vocabulary/attachment.ts";
import { type AttachmentInput, findAttachmentProblem } from "../vocabulary/attachment-input.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { cleanName } from "./clean-name.ts";
import { readImageSize } from "./image-size.ts";
import { type BroughtFile, readSource, type SourceRules, tooLarge } from "./read-source.ts";
import { sniffType } from "./sniff-type.ts";

/** Where files come from, and what they are held to. */
export interface TakeInOptions {
  readonly limits: AttachmentLimits;
  /** Takes secrets out of names. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly source?: Partial<Omit<SourceRules, "maxBytes">>;
  readonly signal?: AbortSignal | undefined;
}

/** An image that says that it is larger than this is not unpacked by anybody. */
const MAX_PIXELS = 100_000_000;

/**
 * Takes files into a run: each is read, looked at and stored, one after the other, so that no more than one is held. When it
 * resolves, their bytes are durable, and events may name them.
 */
export async function takeIn(
  inputs: Iterable<AttachmentInput> | AsyncIterable<AttachmentInput>,
  into: RunAttachments,
  { limits, redact = (text) => text, source, signal }: TakeInOptions,
): Promise<readonly Attachment[]> {
  const rules = { folder: process.cwd(), isConfined: false, isPrivate: false, ...source, maxBytes: limits.maxBytes };
  const taken: Attachment[] = [];
  for await (const input of inputs) {
    const problem = findAttachmentProblem(input);
    if (problem !== undefined) throw new BatonError("bad-attachment", `an attachment ${problem}`);
    const brought = await readSource(input, rules, signal);
    const name = cleanName(redact(brought.name));
    const mediaType = inspect({ ...brought, name }, limits);
    const { byteLength: bytes } = brought.content;
    const sha256 = createHash("sha256").update(brought.content).digest("hex");
    const all = into.has({ sha256 }) ? into.bytes : into.bytes + bytes;
    if (all > limits.maxRunBytes) {
      const most = formatBytes(limits.maxRunBytes);
      const message = `with '${name}' the run's attachments have ${formatBytes(all)}, and at most ${most} are taken, see 'max_run_attachments_mb'`;
      throw new BatonError("attachment-too-large", message);
    }
    await into.blobs.save(brought.content);
    const attachment = { name, mediaType, bytes, sha256 };
    into.note([attachment]);
    taken.push(attachment);
  }
  return taken;
}

/** The type of a file; refused where nobody could use it. */
function inspect({ name, content, declared }: BroughtFile, { maxBytes }: AttachmentLimits): string {
  if (content.byteLength === 0) throw new BatonError("bad-attachment", `'${name}' is empty`);
  if (content.byteLength > maxBytes) throw tooLarge(name, content.byteLength, maxBytes);
  const mediaType = sniffType(content, name, declared);
  const size = readImageSize(content, mediaType);
  if (size !== undefined && size.width * size.height > MAX_PIXELS) {
    const message = `'${name}' says that it has ${size.width} × ${size.height} pixels, and at most ${MAX_PIXELS / 1_000_000} million are taken`;
    throw new BatonError("attachment-too-large", message);
  }
  return mediaType;
}
