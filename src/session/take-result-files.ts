import { takeIn } from "../attachments/take-in.ts";
import { type Attachment, usualAttachmentLimits } from "../vocabulary/attachment.ts";
import type { AttachmentInput } from "../vocabulary/attachment-input.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { ToolCalling } from "./tool-calling.ts";

/** What a tool gave, as the model reads it, and the files that came with it. */
export interface ToolOutput {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/**
 * Stores the files of a tool's result, before the event that names them. The tool has done its work, so a file that cannot be taken
 * fails nothing: the model is told.
 */
export async function takeResultFiles(
  text: string,
  inputs: readonly AttachmentInput[],
  { run, settings }: ToolCalling,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { attachments: limits = usualAttachmentLimits } = settings;
  const source = { folder: run.attachments.root, isConfined: true };
  const redact = run.redactor?.redact;
  const attachments: Attachment[] = [];
  const lines = [text];
  for (const input of inputs) {
    try {
      const taken = await takeIn([input], run.attachments, { limits, source, signal, ...(redact && { redact }) });
      attachments.push(...taken);
    } catch (error) {
      if (!(error instanceof BatonError) || !isRefusal(error)) throw error;
      lines.push(`[a file was left out: ${error.message}]`);
    }
  }
  const said = lines.filter((line) => line !== "").join("\n");
  return attachments.length === 0 ? { text: said } : { text: said, attachments };
}

function isRefusal({ code }: BatonError): boolean {
  return code === "bad-attachment" || code === "attachment-too-large";
}
