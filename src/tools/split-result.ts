import { type AttachmentInput, findAttachmentProblem } from "../vocabulary/attachment-input.ts";

/** What a tool gives: text or data, and files that come with it. */
export interface SplitResult {
  readonly result: unknown;
  readonly attachments: readonly AttachmentInput[];
}

/**
 * Splits `{ attachments: […] }` off a tool's result. Data that has a list of that name, but not of files, stays data. What is left is
 * the result: `text` alone if there is nothing else.
 */
export function splitResult(value: unknown): SplitResult {
  if (typeof value !== "object" || value === null || !("attachments" in value))
    return { result: value, attachments: [] };
  const { attachments, ...others } = value;
  if (!isFiles(attachments)) return { result: value, attachments: [] };
  const keys = Object.keys(others);
  if (keys.length === 0) return { result: "", attachments };
  return { result: keys.length === 1 && "text" in others ? others.text : others, attachments };
}

function isFiles(value: unknown): value is readonly AttachmentInput[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => findAttachmentProblem(each) === undefined);
}
