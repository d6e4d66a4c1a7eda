import type { z } from "zod";
import type { HistoryMessage } from "../../runtime/environment.ts";
import { nameConversation } from "../name-conversation.ts";
import { Refusal } from "../problem.ts";
import type { SentFile } from "../read-files.ts";
import type { chatSchema, responsesSchema } from "./openai-schemas.ts";
import { readPart } from "./read-part.ts";

/** What a request asks of a crew, whichever of OpenAI's APIs it came by. */
export interface Turn {
  readonly model: string;
  /** The user's words alone: the answer, if a run waits for one. */
  readonly words: string;
  /** The files in the user's messages, the earlier ones first. */
  readonly files: readonly SentFile[];
  /** What `system` and `developer` messages say. */
  readonly instructions: string | undefined;
  /** What was said before, if the caller keeps the thread. */
  readonly history: readonly HistoryMessage[];
  readonly conversation: string | undefined;
  /** The paused run that is answered. */
  readonly runId: string | undefined;
  /** The response that this one continues. */
  readonly previous: string | undefined;
  readonly user: string | undefined;
  readonly isStreamed: boolean;
  /** Whether a stream has the tokens in a chunk of their own. */
  readonly hasUsageChunk: boolean;
  /** Parameters that cannot act. */
  readonly ignored: readonly string[];
}

type Message = z.output<typeof chatSchema>["messages"][number];

const chatKeys = ["model", "messages", "stream", "stream_options", "n", "metadata", "user", "tools", "functions"];
const responsesKeys = [
  ...["model", "input", "instructions", "stream", "metadata", "user", "tools"],
  ...["previous_response_id", "conversation"],
];

export function readChatTurn(body: z.output<typeof chatSchema>): Turn {
  if ((body.n ?? 1) > 1) refuse("n", "a crew gives one answer: leave out 'n'");
  refuseTools(body.tools, "tools");
  refuseTools(body.functions, "functions");
  const { conversation, run_id: runId } = body.metadata ?? {};
  return {
    ...splitMessages(body.messages, "messages"),
    model: body.model,
    conversation: conversation === undefined ? undefined : nameConversation(conversation),
    runId,
    previous: undefined,
    user: body.user ?? undefined,
    isStreamed: body.stream === true,
    hasUsageChunk: body.stream_options?.include_usage === true,
    ignored: listIgnored(body, chatKeys),
  };
}

export function readResponsesTurn(body: z.output<typeof responsesSchema>): Turn {
  refuseTools(body.tools, "tools");
  const { conversation: named, run_id: runId } = body.metadata ?? {};
  const conversation = (typeof body.conversation === "string" ? body.conversation : body.conversation?.id) ?? named;
  const previous = body.previous_response_id ?? undefined;
  if (conversation !== undefined && previous !== undefined)
    refuse("previous_response_id", "give 'conversation' or 'previous_response_id', not both");
  const messages =
    typeof body.input === "string"
      ? [{ role: "user", content: body.input }]
      : body.input.filter(({ type }) => type !== "reasoning").map(toMessage);
  const read = splitMessages(messages, "input");
  const instructions = [body.instructions, read.instructions].filter(Boolean).join("\n\n");
  return {
    ...read,
    instructions: instructions === "" ? undefined : instructions,
    model: body.model,
    conversation: conversation === undefined ? undefined : nameConversation(conversation),
    runId,
    previous,
    user: body.user ?? undefined,
    isStreamed: body.stream === true,
    hasUsageChunk: false,
    ignored: listIgnored(body, responsesKeys),
  };
}

/** Instructions stand before the user's words, in a frame of their own. */
export function frameInput({ instructions, words }: Pick<Turn, "instructions" | "words">): string {
  return instructions === undefined ? words : `<instructions>\n${instructions}\n</instructions>\n\n${words}`;
}

type InputItem = Exclude<z.output<typeof responsesSchema>["input"], string>[number];

function toMessage({ type = "message", role, content }: InputItem): Message {
  if (type !== "message" || role === undefined) return refuse("input", `a crew takes messages, not '${type}'`);
  return { role, content };
}

type ReadMessages = Pick<Turn, "words" | "files" | "instructions" | "history">;

function splitMessages(messages: readonly Message[], param: string): ReadMessages {
  const files: SentFile[] = [];
  const instructions: string[] = [];
  const said: HistoryMessage[] = [];
  for (const message of messages) {
    const { role } = message;
    const text = readText(message, param, role === "user" ? files : undefined);
    if (role === "system" || role === "developer") instructions.push(text);
    else if (role === "user" || role === "assistant") said.push({ role, text });
    else refuse(param, `a crew calls its own tools, so messages of role '${role}' are not taken`);
  }
  const last = said.pop();
  if (last?.role !== "user") return refuse(param, "the last message must be the user's");
  if (last.text.trim() === "" && files.length === 0) return refuse(param, "the last message is empty");
  const isFramed = instructions.some((text) => text.trim() !== "");
  return { words: last.text, files, history: said, instructions: isFramed ? instructions.join("\n\n") : undefined };
}

function readText({ content, ...others }: Message, param: string, files: SentFile[] | undefined): string {
  if (Array.isArray(others["tool_calls"]) && others["tool_calls"].length > 0)
    refuse(param, "a crew calls its own tools, so messages with 'tool_calls' are not taken");
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      const read = readPart(part);
      if ("problem" in read) return refuse(param, read.problem);
      if ("text" in read) return read.text;
      if (files === undefined) return refuse(param, "only the user's messages have files");
      files.push(read.file);
      return "";
    })
    .join("");
}

/** Parameters without an effect, so that nobody believes they have one. */
function listIgnored(body: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  const isDefault = (name: string) =>
    body[name] === null || body[name] === undefined || defaults[name]?.includes(JSON.stringify(body[name])) === true;
  const others = Object.keys(body).filter((name) => !known.includes(name) && !isDefault(name));
  const metadata =
    typeof body["metadata"] === "object" && body["metadata"] !== null ? Object.keys(body["metadata"]) : [];
  const labels = metadata
    .filter((name) => name !== "conversation" && name !== "run_id")
    .map((name) => `metadata.${name}`);
  return [...others, ...labels];
}

/** Values that ask for nothing that a crew does not do anyway. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  tool_choice: ['"auto"', '"none"'],
  response_format: ['{"type":"text"}'],
  text: ['{"format":{"type":"text"}}'],
  modalities: ['["text"]'],
  store: ["true"],
  background: ["false"],
};

function refuseTools(tools: readonly unknown[] | null | undefined, param: string): void {
  if (tools?.length) refuse(param, `a crew calls its own tools: leave out '${param}'`);
}

/** Refuses a parameter of a request. */
export function refuse(param: string, message: string): never {
  throw new Refusal("bad-request", message, { extra: { problems: [{ path: param, message }] } });
}
