import type { Message, Part, SendMessageRequest } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { readTypedAnswer } from "../../library/read-typed-answer.ts";
import type { Paused, ResumeAnswer } from "../../vocabulary/pause.ts";
import { answerSchema } from "../schemas.ts";

const MAX_ID = 512;

/** The message of a request, with words in it. */
export function readMessage({ message }: SendMessageRequest): Message & { readonly words: string } {
  if (message === undefined) throw new RequestMalformedError("'message' is missing");
  if (message.messageId === "") throw new RequestMalformedError("'message.messageId' is missing");
  for (const id of [message.messageId, message.contextId, message.taskId])
    if (id.length > MAX_ID) throw new RequestMalformedError(`an id has at most ${MAX_ID} characters`);
  const words = message.parts.map(readPart).join("\n\n");
  if (words.trim() === "") throw new RequestMalformedError("the message has no text");
  return { ...message, words };
}

/** What a message answers: the fields of an answer in a data part, or words as in a terminal. */
export function readAnswer({ parts, words }: ReturnType<typeof readMessage>, paused: Paused): ResumeAnswer {
  const data = parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value as unknown] : []));
  const [fields] = data;
  if (fields === undefined || parts.length > 1) return readTypedAnswer(words, paused);
  const read = answerSchema.safeParse(fields);
  if (read.success) {
    const { acceptChanges: _, ...answer } = read.data;
    // The run refuses what is not a decision.
    return answer as ResumeAnswer;
  }
  return paused.options.includes("external") ? { external: fields } : readTypedAnswer(words, paused);
}

function readPart({ content }: Part): string {
  switch (content?.$case) {
    case "text":
      return content.value;
    case "data":
      return JSON.stringify(content.value) ?? "";
    default:
      throw new ContentTypeNotSupportedError("a crew takes text and data; files and addresses are not taken");
  }
}
