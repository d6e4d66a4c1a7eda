import { ModelError, type ModelReply } from "../models/model.ts";
import { isBlank } from "../vocabulary/wording.ts";
import type { AnswerListener } from "./open-request.ts";

type Said = Pick<ModelReply, "text" | "toolCalls" | "finish" | "usage">;

/** What decides whether a reply is the whole of an answer, or one at all. */
export interface Expecting {
  readonly mayBeSilent?: boolean | undefined;
  readonly mayGoOn?: boolean;
  readonly begun?: string | undefined;
  readonly listener?: Pick<AnswerListener, "isDecided"> | undefined;
}

/** A reply that a content filter stopped, or that says and calls nothing, is a failed attempt. */
export function checkContent({ text, toolCalls, finish, usage }: Said, { mayBeSilent, begun }: Expecting): void {
  if (finish === "content-filter")
    throw new ModelError("the provider's content filter stopped the answer", {
      code: "filtered",
      isRetryable: true,
      usage,
    });
  // Whoever has begun an answer has something to say.
  if (toolCalls.length > 0 || !isBlank(text) || (mayBeSilent && begun === undefined)) return;
  const isCut = finish === "length";
  const message = isCut
    ? "all tokens were used up before the answer began; raise 'max_output_tokens'"
    : "the answer is empty";
  throw new ModelError(message, { code: "empty", isRetryable: !isCut, usage });
}

/** Whether the provider's limit of length cut off an answer that is to be continued. */
export function isCutOff(
  { text, toolCalls, finish }: Pick<Said, "text" | "toolCalls"> & { readonly finish: string },
  { mayGoOn = false, listener }: Expecting,
): boolean {
  if (!mayGoOn || finish !== "length" || toolCalls.length > 0 || isBlank(text)) return false;
  return listener?.isDecided(text) !== true;
}
