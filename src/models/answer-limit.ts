import { ModelError } from "./model.ts";

/** Far more than any model writes in one answer. A server that sends more is not a model. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

export function explainTooLarge(message = `the answer has more than ${MAX_ANSWER_BYTES / 2 ** 20} MB`): ModelError {
  return new ModelError(message, { code: "too_large", isRetryable: false });
}

/** Refuses answers that are too large, from models in code as well as from servers. */
export function refuseTooLarge(...texts: readonly string[]): void {
  let characters = 0;
  for (const text of texts) characters += text.length;
  // Few answers are this long. For all others, counting bytes is unnecessary.
  if (characters * 3 <= MAX_ANSWER_BYTES) return;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_ANSWER_BYTES) throw explainTooLarge();
}
