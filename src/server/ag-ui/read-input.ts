import type { Message, RunAgentInput, UserMessage } from "@ag-ui/core";
import type { HistoryMessage } from "../../runtime/environment.ts";
import { Refusal } from "../problem.ts";
import { ASIDE } from "./told-session.ts";

const MAX_MESSAGES = 10_000;
const MAX_ID = 512;

/** What a request says to a crew. */
export interface SaidToCrew {
  /** The user's newest words; undefined if the last message is not the user's. */
  readonly words: string | undefined;
  /** What stands before the words: system messages and context. */
  readonly instructions: string | undefined;
  readonly history: readonly HistoryMessage[];
  /** What the request asks for and no crew does. */
  readonly ignored: readonly string[];
}

export function readInput({ messages, context, tools, forwardedProps, threadId, runId }: RunAgentInput): SaidToCrew {
  for (const [name, id] of Object.entries({ threadId, runId }))
    if (id === "" || id.length > MAX_ID) throw new Refusal("bad-request", `'${name}' has 1 to ${MAX_ID} characters`);
  if (messages.length > MAX_MESSAGES)
    throw new Refusal("bad-request", `'messages' has more than ${MAX_MESSAGES} messages`);
  const said = messages.flatMap((message) => readMessage(message) ?? []);
  const last = messages.at(-1)?.role === "user" ? said.pop() : undefined;
  const instructions = [
    ...messages.flatMap((message) =>
      message.role === "system" || message.role === "developer" ? [message.content] : [],
    ),
    ...context.map(({ description, value }) => `${description}: ${value}`),
  ].filter((text) => text.trim() !== "");
  return {
    words: last?.text.trim() === "" ? undefined : last?.text,
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    history: said,
    ignored: [...tools.map(({ name }) => `tools.${name}`), ...listProps(forwardedProps)],
  };
}

/** A message as history. Tool calls and reasoning are none: agents have their own. */
function readMessage(message: Message): HistoryMessage | undefined {
  if (message.role === "user") return { role: "user", text: readText(message.content) };
  if (message.role !== "assistant" || isAside(message)) return undefined;
  const { content = "", name } = message;
  if (content.trim() === "") return undefined;
  return { role: "assistant", text: content, ...(name !== undefined && name !== "" && { agent: name }) };
}

/** Whether we told it as words that are not part of the thread. */
function isAside({ metadata }: Message): boolean {
  const baton: unknown = metadata?.["baton"];
  return typeof baton === "object" && baton !== null && "isAside" in baton && baton.isAside === ASIDE.baton.isAside;
}

function readText(content: UserMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if (part.type === "text") return part.text;
      throw new Refusal("bad-request", `a crew takes text; parts of type '${part.type}' are not taken`);
    })
    .join("");
}

function listProps(forwarded: unknown): string[] {
  if (typeof forwarded !== "object" || forwarded === null) return forwarded === undefined ? [] : ["forwardedProps"];
  return Object.keys(forwarded).map((key) => `forwardedProps.${key}`);
}
