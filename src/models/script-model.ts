import type { Usage } from "../vocabulary/bill.ts";
import type { ToolCall } from "../vocabulary/messages.ts";
import { formatAmount } from "../vocabulary/wording.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest } from "./model.ts";

/** One reply of a script. */
export interface ScriptedReply {
  readonly text: string;
  readonly reasoning: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** Why the reply ended early, if it did. */
  readonly finish: "length" | "content-filter" | undefined;
  /** Absent if the recorded model reported no usage. */
  readonly usage: Usage | undefined;
  readonly latencyMs: number;
  readonly error:
    | { readonly status: number | undefined; readonly message: string; readonly retryAfterMs: number | undefined }
    | undefined;
}

/**
 * Replies that stand in for the models of a crew; `script` makes one. They are in order, by agent id or `<crew>/<agent>`, where the
 * crew may include the names of the crews around it.
 */
export interface Script {
  readonly replies: Readonly<Record<string, readonly ScriptedReply[]>>;
}

/** Whether the script has replies for this agent. An agent may be called like a method of all objects. */
export function hasReplies({ replies }: Script, key: string): boolean {
  return Object.hasOwn(replies, key);
}

/**
 * Creates a model from written replies. It has no state: the run determines which reply comes next, and counts the replies of each
 * `source` by itself.
 */
export function createScriptModel(
  name: string,
  script: Script,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  source = name,
): Model {
  const answer = (reply: ScriptedReply, request: ModelRequest): ModelReply => {
    if (reply.error !== undefined) throw buildError(reply.error);
    if (reply.reasoning !== undefined) request.onReasoning(reply.reasoning);
    if (reply.text !== "") request.onText(reply.text);
    return {
      text: reply.text,
      toolCalls: reply.toolCalls,
      ...(reply.usage !== undefined && { usage: reply.usage }),
      finish: reply.finish ?? (reply.toolCalls.length > 0 ? "tool-calls" : "stop"),
      ...(reply.reasoning !== undefined && { reasoning: reply.reasoning }),
    };
  };
  return {
    name,
    isScripted: true,
    findKey: (agent, crew) => `${source} ${findKey(script, agent, crew)}`,
    call(request) {
      const reply = findReply(script, request);
      if (reply.latencyMs === 0) return answer(reply, request);
      return sleep(reply.latencyMs, request.signal).then(() => answer(reply, request));
    },
  };
}

/** Finds the key of an agent in the script: by its crew's place, by its crew's name, or by its id alone. */
export function findKey(script: Script, agent: string, crew: string): string {
  const name = crew.slice(crew.lastIndexOf("/") + 1);
  return [`${crew}/${agent}`, `${name}/${agent}`].find((key) => hasReplies(script, key)) ?? agent;
}

/** Finds the reply to a call; throws if the script has none. */
export function findReply(
  script: Script,
  { agent, crew, calls }: Pick<ModelRequest, "agent" | "crew" | "calls">,
): ScriptedReply {
  const key = findKey(script, agent, crew);
  const replies = hasReplies(script, key) ? script.replies[key] : undefined;
  const reply = replies?.[calls - 1];
  if (reply !== undefined) return reply;
  const others = Object.keys(script.replies);
  const has =
    replies === undefined
      ? `no replies for agent '${agent}'${others.length === 0 ? "" : `, only for ${others.join(", ")}`}`
      : `${formatAmount(replies.length, "reply", "replies")} for agent '${agent}', and this is its ${formatOrdinal(calls)} call`;
  throw new ScriptExhausted(`the script has ${has}`);
}

/** The run needs a reply that the script does not have. */
class ScriptExhausted extends ModelError {
  constructor(message: string) {
    super(message, { isRetryable: false, code: "script_exhausted" });
    this.name = "ScriptExhausted";
  }
}

function buildError({ status, message, retryAfterMs }: NonNullable<ScriptedReply["error"]>): ModelError {
  return new ModelError(message, {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

function formatOrdinal(number: number): string {
  const ending = number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
