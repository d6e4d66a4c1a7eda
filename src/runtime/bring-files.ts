import { takeIn } from "../attachments/take-in.ts";
import { RunAttachments } from "../run/run-attachments.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import { listAttachments } from "../views/list-attachments.ts";
import { type Attachment, usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Start } from "../vocabulary/run-start.ts";
import { checkInput } from "./check-input.ts";
import type { Runtime } from "./runtime.ts";

/** What a run is asked: text, or text with files. */
export type CrewInput = string | InputWithFiles;

/** An input with files. The text may be empty if there is a file. */
export interface InputWithFiles {
  readonly text: string;
  /** Files that come with the text: each `{ path }`, `{ url }` or `{ bytes, name }`. They are read, checked and stored one by one. */
  readonly attachments?: readonly AttachmentInput[] | AsyncIterable<AttachmentInput> | undefined;
}

/** Refuses anything else than an input, before anything of the run is stored. */
export function readCrewInput(input: unknown): InputWithFiles {
  if (typeof input !== "object" || input === null) {
    checkInput(input);
    return { text: input };
  }
  const { text = "", attachments, ...others } = input as Partial<InputWithFiles>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new BatonError("bad-input", `an input has no '${unknown}'; it is { text, attachments }`);
  if (attachments === undefined || (Array.isArray(attachments) && attachments.length === 0)) {
    checkInput(text);
    return { text };
  }
  if (typeof text !== "string") throw new BatonError("bad-input", `the text of the input is ${typeof text}`);
  if (!isIterable(attachments)) throw new BatonError("bad-input", "'attachments' must be a list such as [{ path }]");
  return { text, attachments };
}

function isIterable(value: object): boolean {
  return Symbol.iterator in value || Symbol.asyncIterator in value;
}

type Taking = Pick<Runtime, "crew" | "redactor">;

/** Stores the files of an input, so that the event that names them can follow; undefined where there are none. */
export function bringFiles(
  attachments: InputWithFiles["attachments"],
  { blobs, events }: Pick<RunLog, "blobs" | "events">,
  { crew: { settings }, redactor }: Taking,
): Promise<readonly Attachment[]> | undefined {
  if (attachments === undefined) return undefined;
  const into = new RunAttachments(blobs);
  into.note(listAttachments(events));
  const limits = settings.attachments ?? usualAttachmentLimits;
  const taking = takeIn(attachments, into, { limits, ...(settings.redact && { redact: redactor.redact }) });
  return taking.catch(async (error: unknown) => {
    // A run that is refused leaves nothing behind.
    if (events.length === 0) await blobs.drop?.();
    throw error;
  });
}

/** The start of a run with the files that it brings along, once they are stored. Nothing is waited for where there are none. */
export function withFiles<Plan>(
  start: Start,
  attachments: InputWithFiles["attachments"],
  log: RunLog,
  runtime: Taking,
  plan: (start: Start) => Plan,
): Promise<Plan> | Plan {
  const brought = bringFiles(attachments, log, runtime);
  return brought === undefined ? plan(start) : brought.then((files) => plan({ ...start, attachments: files }));
}

/** Stores the files of another run under this one as well, so that deleting that run leaves them. */
export async function keepFiles(
  attachments: readonly Attachment[],
  read: (sha256: string) => Promise<Uint8Array | undefined>,
  { blobs }: Pick<RunLog, "blobs">,
): Promise<void> {
  for (const { sha256 } of attachments) {
    const bytes = await read(sha256);
    // What is gone is missing there as well; an agent that is given it is told.
    if (bytes !== undefined) await blobs.save(bytes);
  }
}
