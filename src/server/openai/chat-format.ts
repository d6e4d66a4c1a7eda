import type { RunResult } from "../../views/run-result.ts";
import { describeRun } from "./listen.ts";
import type { Breakdown, Saying } from "./narration.ts";

/** What all chunks of an answer share. */
export interface ChatHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** A chunk of a streamed chat completion. */
export function formatSaying(head: ChatHead, { type, text }: Saying): string {
  return formatChunk(head, type === "words" ? { content: text } : { reasoning_content: text });
}

export function formatRole(head: ChatHead): string {
  return formatChunk(head, { role: "assistant", content: "" });
}

/** The last chunks: why the answer ended, what the run cost, and the end of the stream. */
export function formatChatEnd(head: ChatHead, result: RunResult, hasUsageChunk: boolean): string {
  const usage = chatUsage(result);
  const baton = describeRun(result);
  const end = formatChunk(head, {}, { finish: "stop", more: { ...(!hasUsageChunk && { usage }), baton } });
  const counted = hasUsageChunk ? `data: ${JSON.stringify({ ...chunkOf(head), choices: [], usage, baton })}\n\n` : "";
  return `${end}${counted}data: [DONE]\n\n`;
}

/** An error in the middle of a stream. */
export function formatChatError({ code, message }: Breakdown): string {
  return `data: ${JSON.stringify({ error: { message, type: "server_error", param: null, code } })}\n\n`;
}

/** A whole chat completion. */
export function formatCompletion(head: ChatHead, sayings: readonly Saying[], result: RunResult): unknown {
  const thinking = joinSayings(sayings, "thinking");
  const message = {
    role: "assistant",
    content: joinSayings(sayings, "words"),
    refusal: null,
    ...(thinking !== "" && { reasoning_content: thinking }),
  };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: chatUsage(result),
    baton: describeRun(result),
  };
}

export function joinSayings(sayings: readonly Saying[], wanted: Saying["type"]): string {
  return sayings.flatMap(({ type, text }) => (type === wanted ? text : [])).join("");
}

/** Tokens that nobody counted are unknown, and unknown tokens are left out. */
function chatUsage({ usage }: RunResult): unknown {
  const { input, output, total, cacheRead, reasoning } = usage;
  if (input === null || output === null || total === null) return undefined;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: reasoning ?? 0 },
  };
}

function chunkOf(head: ChatHead) {
  return { ...head, object: "chat.completion.chunk" };
}

function formatChunk(
  head: ChatHead,
  delta: object,
  { finish = null, more = {} }: { readonly finish?: string | null; readonly more?: object } = {},
): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...chunkOf(head), choices, ...more })}\n\n`;
}
