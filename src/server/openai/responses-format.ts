import type { RunResult } from "../../views/run-result.ts";
import { joinSayings } from "./chat-format.ts";
import { describeRun } from "./listen.ts";
import type { Breakdown, Saying } from "./narration.ts";
import type { Turn } from "./read-turn.ts";

/** What OpenAI calls a failure that is not the caller's. */
const FAILURE = "server_error";

export interface ResponseHead {
  readonly id: string;
  readonly createdAt: number;
  readonly turn: Pick<Turn, "model" | "instructions" | "conversation" | "previous">;
  readonly metadata: unknown;
}

type Item = { readonly id: string; readonly type: "reasoning" | "message"; text: string };

/** The events of a streamed response, in OpenAI's order: an item is added, grows, and is done before the next one. */
export class ResponseStream {
  readonly #head: ResponseHead;
  readonly #items: Item[] = [];
  #number = 0;

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  begin(): string {
    const response = responseOf(this.#head, "in_progress", []);
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  take({ type, text }: Saying): string {
    const kind = type === "words" ? "message" : "reasoning";
    let told = "";
    let item = this.#items.at(-1);
    if (item?.type !== kind) {
      told += this.#closeItem();
      item = {
        id: `${kind === "message" ? "msg" : "rs"}_${this.#head.id.slice(5)}_${this.#items.length}`,
        type: kind,
        text: "",
      };
      this.#items.push(item);
      told += this.#openItem(item);
    }
    item.text += text;
    const name = kind === "message" ? "response.output_text.delta" : "response.reasoning_summary_text.delta";
    return told + this.#event(name, { ...this.#place(item), delta: text, ...(kind === "message" && { logprobs: [] }) });
  }

  end(result: RunResult): string {
    const told = this.#closeItem();
    const response = finishedResponse(this.#head, this.#items, result);
    return told + this.#event("response.completed", { response });
  }

  fail(breakdown: Breakdown): string {
    return this.#event("response.failed", { response: formatFailedResponse(this.#head, breakdown) });
  }

  #openItem(item: Item): string {
    const added = this.#event("response.output_item.added", {
      output_index: this.#items.length - 1,
      item:
        item.type === "message"
          ? { ...toOutput(item), status: "in_progress", content: [] }
          : { ...toOutput(item), summary: [] },
    });
    const name = item.type === "message" ? "response.content_part.added" : "response.reasoning_summary_part.added";
    return added + this.#event(name, { ...this.#place(item), part: toPart(item) });
  }

  #closeItem(): string {
    const item = this.#items.at(-1);
    if (item === undefined) return "";
    const kind = item.type === "message" ? "output_text" : "reasoning_summary_text";
    const part = item.type === "message" ? "content_part" : "reasoning_summary_part";
    const place = this.#place(item);
    return (
      this.#event(`response.${kind}.done`, {
        ...place,
        text: item.text,
        ...(item.type === "message" && { logprobs: [] }),
      }) +
      this.#event(`response.${part}.done`, { ...place, part: toPart(item) }) +
      this.#event("response.output_item.done", { output_index: this.#items.length - 1, item: toOutput(item) })
    );
  }

  #place(item: Item) {
    const at = item.type === "message" ? { content_index: 0 } : { summary_index: 0 };
    return { item_id: item.id, output_index: this.#items.length - 1, ...at };
  }

  #event(type: string, data: object): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number++, ...data })}\n\n`;
  }
}

/** A whole response. */
export function formatResponse(head: ResponseHead, sayings: readonly Saying[], result: RunResult): unknown {
  const key = head.id.slice(5);
  const thinking = joinSayings(sayings, "thinking");
  const items: Item[] = [
    ...(thinking === "" ? [] : [{ id: `rs_${key}_0`, type: "reasoning" as const, text: thinking }]),
    { id: `msg_${key}_1`, type: "message", text: joinSayings(sayings, "words") },
  ];
  return finishedResponse(head, items, result);
}

export function formatFailedResponse(head: ResponseHead, { code, message }: Breakdown): unknown {
  return { ...responseOf(head, "failed", []), error: { code: FAILURE, message: `${code}: ${message}` } };
}

/** A response whose run is under way, or was cancelled. */
export function formatUnfinishedResponse(head: ResponseHead, status: "queued" | "in_progress" | "cancelled"): unknown {
  return responseOf(head, status, []);
}

function finishedResponse(head: ResponseHead, items: readonly Item[], result: RunResult): unknown {
  const { input, output: written, total, cacheRead, reasoning } = result.usage;
  const isKnown = input !== null && written !== null && total !== null;
  const usage = isKnown
    ? {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cacheRead ?? 0 },
        output_tokens: written,
        output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
        total_tokens: total,
      }
    : null;
  // Earlier versions of OpenAI's package add this to some answers only.
  const words = items.flatMap(({ type, text }) => (type === "message" ? text : []));
  const response = responseOf(head, "completed", items.map(toOutput));
  return { ...response, output_text: words.join(""), usage, baton: describeRun(result) };
}

function responseOf({ id, createdAt, turn, metadata }: ResponseHead, status: string, output: readonly unknown[]) {
  return {
    id,
    object: "response",
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: null,
    instructions: turn.instructions ?? null,
    metadata: metadata ?? {},
    model: turn.model,
    output,
    parallel_tool_calls: false,
    temperature: null,
    tool_choice: "none",
    tools: [],
    top_p: null,
    previous_response_id: turn.previous ?? null,
    conversation: turn.conversation === undefined ? null : { id: turn.conversation },
    usage: null,
  };
}

function toPart({ type, text }: Item) {
  return type === "message"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "summary_text", text };
}

function toOutput(item: Item) {
  const { id, type } = item;
  return type === "message"
    ? { id, type, status: "completed", role: "assistant", content: [toPart(item)] }
    : { id, type, summary: [toPart(item)] };
}
