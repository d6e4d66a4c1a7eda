import type { LanguageModelV4GenerateResult, LanguageModelV4Reasoning } from "@ai-sdk/provider";
import type { Usage } from "../vocabulary/bill.ts";
import type { ProviderMetadata } from "../vocabulary/messages.ts";
import { ModelError, type ModelReply, type ModelRequest } from "./model.ts";
import { readToolCall } from "./read-tool-call.ts";
import type { WireNames } from "./wire-names.ts";

type Marked = Pick<LanguageModelV4Reasoning, "providerMetadata">;
/** How a turn ended. */
export type Finish = Pick<LanguageModelV4GenerateResult, "finishReason" | "usage">;

/**
 * Collects the parts of an answer and their times. How long a provider takes is a fact about the provider and not part of the
 * run's own time.
 */
export class CollectedTurn {
  #text = "";
  #reasoning = "";
  readonly #startedAt = performance.now();
  #msToFirstToken: number | undefined;
  #model: string | undefined;
  readonly #toolCalls: ModelReply["toolCalls"][number][] = [];
  readonly #parts = new Map<string, { text: string; marks: unknown }>();
  readonly #callMarks: unknown[] = [];
  readonly #request: ModelRequest;
  readonly #names: WireNames;
  /** Read once, because a request creates the callback each time it is read. */
  #onText: ModelRequest["onText"] | undefined;
  #onReasoning: ModelRequest["onReasoning"] | undefined;

  constructor(request: ModelRequest, names: WireNames) {
    this.#request = request;
    this.#names = names;
  }

  addText(text: string): void {
    this.#text += text;
    this.#msToFirstToken ??= this.#ms();
    this.#onText ??= this.#request.onText;
    this.#onText.call(this.#request, text);
  }

  addReasoning({ id, providerMetadata }: Marked & { readonly id: string }, text: string): void {
    const part = this.#parts.get(id) ?? { text: "", marks: undefined };
    this.#parts.set(id, { text: part.text + text, marks: providerMetadata ?? part.marks });
    if (text === "") return;
    this.#reasoning += text;
    this.#msToFirstToken ??= this.#ms();
    this.#onReasoning ??= this.#request.onReasoning;
    this.#onReasoning.call(this.#request, text);
  }

  addCall({ toolName, input, providerMetadata }: Marked & { readonly toolName: string; readonly input: string }): void {
    this.#toolCalls.push(readToolCall(this.#names.own(toolName), input));
    this.#callMarks.push(providerMetadata ?? null);
  }

  /** Notes which model answers, if the provider says so. */
  addModel(name: string | undefined): void {
    this.#model = name ?? this.#model;
  }

  /** The provider's metadata to send back later, if there is any. */
  providerMetadata(model: string): ProviderMetadata | undefined {
    const reasoning = [...this.#parts.values()].filter(({ marks }) => marks !== undefined);
    if (reasoning.length === 0 && this.#callMarks.every((marks) => marks === null)) return undefined;
    return { model, reasoning, calls: this.#callMarks };
  }

  /** The reply, if the turn is complete. */
  reply(finish: Finish | undefined): ModelReply {
    const reason = finish && readFinish(finish);
    if (finish === undefined || reason === undefined) {
      const { raw, unified = "no end" } = finish?.finishReason ?? {};
      throw new ModelError(`the answer was interrupted (${raw ?? unified})`, { code: "incomplete" });
    }
    const usage = readUsage(finish.usage);
    return {
      text: this.#text,
      toolCalls: this.#toolCalls,
      finish: reason,
      ...(this.#reasoning !== "" && { reasoning: this.#reasoning }),
      ...(usage !== undefined && { usage }),
      ...(this.#model !== undefined && { responseModel: this.#model }),
      ms: this.#ms(),
      ...(this.#msToFirstToken !== undefined && { msToFirstToken: this.#msToFirstToken }),
    };
  }

  #ms(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

/** Why a turn ended, if that makes it complete. */
function readFinish({ finishReason: { unified, raw } }: Finish): ModelReply["finish"] | undefined {
  // Servers that imitate Google's report tool calls like this.
  if (raw === "FUNCTION_CALL") return "tool-calls";
  const isWhole =
    unified === "stop" || unified === "tool-calls" || unified === "length" || unified === "content-filter";
  return isWhole ? unified : undefined;
}

function readUsage({ inputTokens, outputTokens }: Finish["usage"]): Usage | undefined {
  const [input, output] = [inputTokens.total, outputTokens.total];
  // A prompt always has tokens. Clients report 0 if the server's answer contains no counts.
  if (input === undefined || output === undefined || input + output === 0) return undefined;
  return {
    input,
    output,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    total: input + output,
  };
}
