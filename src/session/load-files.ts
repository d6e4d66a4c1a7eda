import { decodeText } from "../attachments/sniff-type.ts";
import { cutMiddle } from "../context/cut-outputs.ts";
import { frameFile } from "../context/frame-file.ts";
import { ModelError, type RequestFile } from "../models/model.ts";
import type { Run } from "../run/run.ts";
import { type Attachment, isTextType, nameReference, usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { Settings } from "../vocabulary/crew.ts";

/** Who asks a model, as far as files concern it. */
interface Asking {
  readonly run: Run;
  readonly settings: Settings;
}

/** Reads the files that a model is to get. Text enters the request as all text does: without secrets, and bounded. */
export async function loadFiles(
  attachments: readonly Attachment[],
  { run, settings: { attachments: limits = usualAttachmentLimits } }: Asking,
): Promise<ReadonlyMap<string, RequestFile>> {
  const files = new Map<string, RequestFile>();
  for (const attachment of attachments) {
    const { name, mediaType, sha256 } = attachment;
    const bytes = await run.attachments.blobs.read(sha256);
    if (bytes === undefined)
      throw new ModelError(`the store no longer has the bytes of '${name}'`, { code: "no_bytes", isRetryable: false });
    const text = isTextType(mediaType) ? decodeText(bytes) : undefined;
    const clean = text === undefined ? undefined : (run.redactor?.redact(text) ?? text);
    // The nonce follows from the run's random id, which no model sees.
    const nonce = run.facts.makeKey(`attachment ${sha256}`).slice(-12);
    const content = clean === undefined ? bytes : frameFile(name, cutMiddle(clean, limits.maxChars), nonce);
    files.set(nameReference(attachment), { ...attachment, content });
  }
  return files;
}
