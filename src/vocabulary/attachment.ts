import { roundUpSize } from "./wording.ts";

/** A file of a run, as events name it. The store has its bytes, once for all that have the same content. */
export interface Attachment {
  readonly name: string;
  /** What the content shows, such as `image/png`; nobody's word is taken for it. */
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Which attachments an agent is given: none, those of its newest input, or all in what it sees. */
export type AttachmentMode = "none" | "new" | "all";

/** How much a run takes, and what its models get of it. */
export interface AttachmentLimits {
  /** Of one file, and of all files of a run. */
  readonly maxBytes: number;
  readonly maxRunBytes: number;
  /** The most that a model gets of a text file. */
  readonly maxChars: number;
  /** Hosts from which whoever starts a run over HTTP may let files be fetched. */
  readonly hosts: readonly string[];
}

const MB = 2 ** 20;

/** For crews that say nothing. */
export const usualAttachmentLimits: AttachmentLimits = {
  maxBytes: 20 * MB,
  maxRunBytes: 50 * MB,
  maxChars: 100_000,
  hosts: [],
};

/** The beginning of every reference; most texts have none, and are not searched further. */
const BEGINNING = "[attachment: ";
const REFERENCE = /\[attachment: [^[\]\n]{1,300}, ([0-9a-f]{16})\]/g;
const KB = 1024;

/**
 * How a text refers to an attachment. References are part of texts, so they go wherever the texts go: into histories, handoffs,
 * groups, sub-crews and later turns of a conversation.
 */
function formatReference(attachment: Attachment): string {
  const { name, mediaType, bytes } = attachment;
  return `${BEGINNING}${name}, ${mediaType}, ${formatBytes(bytes)}, ${nameReference(attachment)}]`;
}

/** What a reference calls an attachment: the beginning of its hash. */
export function nameReference({ sha256 }: Pick<Attachment, "sha256">): string {
  return sha256.slice(0, 16);
}

/** A text with references to what came with it. */
export function addReferences(text: string, attachments: readonly Attachment[] = []): string {
  if (attachments.length === 0) return text;
  return `${text}\n\n${attachments.map(formatReference).join("\n")}`.trimStart();
}

/** The text that `addReferences` was given. */
export function removeReferences(text: string, attachments: readonly Attachment[] = []): string {
  const references = addReferences("", attachments);
  if (attachments.length === 0 || !text.endsWith(references)) return text;
  return text.slice(0, -references.length).replace(/\n\n$/, "");
}

/** The names of the attachments that a text refers to, in order, each once. */
export function findReferences(text: string): readonly string[] {
  if (!text.includes(BEGINNING)) return [];
  return [...new Set([...text.matchAll(REFERENCE)].map(([, name = ""]) => name))];
}

export function formatBytes(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  return bytes < MB ? `${roundUpSize(bytes / KB)} KB` : `${roundUpSize(bytes / MB)} MB`;
}

/** Whether a model reads a file as text, so that every model can take it. */
export function isTextType(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType === "application/json";
}

const IMAGE_TOKENS = 1600;
const PDF_TOKENS_PER_KB = 40;
const AUDIO_TOKENS_PER_KB = 2;

/**
 * About how many tokens a model reads for an attachment. Providers scale large images down to some 1,600 tokens. Of a PDF and of
 * audio only the size is known here: a page of some 50 KB is about 2,000 tokens, and a second of some 16 KB is about 32.
 */
export function estimateAttachmentTokens({ mediaType, bytes }: Pick<Attachment, "mediaType" | "bytes">): number {
  if (mediaType.startsWith("image/")) return IMAGE_TOKENS;
  if (mediaType === "application/pdf") return Math.ceil((bytes / KB) * PDF_TOKENS_PER_KB);
  if (mediaType.startsWith("audio/")) return Math.ceil((bytes / KB) * AUDIO_TOKENS_PER_KB);
  return isTextType(mediaType) ? Math.ceil(bytes / 3) : 0;
}
