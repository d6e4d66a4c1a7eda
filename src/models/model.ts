import { readRefusal } from "../http/read-refusal.ts";
import type { Usage } from "../vocabulary/bill.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import type { Message, ProviderMetadata, ToolCall } from "../vocabulary/messages.ts";
import type { ListedModel } from "./price-table.ts";

/** A model that can be called. Adapters translate providers; a scripted model is one like any other. */
export interface Model {
  readonly name: string;
  /** What a table of prices says of it, where it is listed. */
  readonly listed?: ListedModel | undefined;
  /** Where it is reached, where that is known. */
  readonly server?: { readonly address: string; readonly port: number } | undefined;
  /** Whether its replies are written down beforehand, so that asking costs nothing. */
  readonly isScripted?: boolean;
  /** What calls of an agent are counted under, where a model knows it by another name. */
  keyOf?(agent: string, crew: string): string;
  call(request: ModelRequest): Promise<ModelReply> | ModelReply;
}

/**
 * What a model is asked. Its signal and its callbacks are made when a model asks for them, so `{ ...request }` does not have them: said as a
 * class, which it is none of, so that the compiler says so too.
 */
export declare abstract class ModelRequest {
  readonly agent: string;
  /** The call's place in the run. */
  readonly path: string;
  /** The crew's place in the run: names of sub-crews from the outermost in, `/` between; empty for the run's own crew. */
  readonly crew: string;
  /** How many calls were made in the run, this one included: of this agent in this crew, or under the model's own key. */
  readonly calls: number;
  readonly system: string;
  /** Built when asked for: a long history costs nothing to a model that does not read it. */
  readonly messages: () => readonly Message[];
  readonly tools: readonly ToolSpecification[];
  /** Whether the reply must call one of the tools. */
  readonly toolChoice?: "required" | undefined;
  readonly sampling: {
    readonly temperature: number | undefined;
    readonly topP: number | undefined;
    readonly topK: number | undefined;
    readonly maxOutputTokens: number | undefined;
    readonly reasoning: string | number | undefined;
  };
  /** The form an answer must have, where it is JSON. */
  readonly json: { readonly schema: unknown } | undefined;
  abstract get signal(): AbortSignal;
  onText(text: string): void;
  onReasoning(text: string): void;
}

export interface ToolSpecification {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments. */
  readonly parameters: unknown;
}

/** A complete reply. What broke off is no reply but a ModelError. */
export interface ModelReply {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly providerMetadata?: ProviderMetadata;
  readonly usage?: Usage;
  readonly finish: "stop" | "tool-calls" | "length" | "content-filter";
  /** The model that answered, as the provider names it. */
  readonly responseModel?: string;
  /** How long it took, and how long until its first words, where somebody measured. */
  readonly ms?: number;
  readonly msToFirstToken?: number;
}

export interface ModelErrorOptions {
  readonly code?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly isRetryable?: boolean;
  /** What the provider counted all the same. */
  readonly usage?: Usage | undefined;
  readonly cause?: unknown;
}

/** A call that failed at the provider or on the way. */
export class ModelError extends Error {
  /** `status_429`, `unreachable`, or what the model says itself. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Whether trying the same again may help. */
  readonly isRetryable: boolean;
  readonly usage: Usage | undefined;

  constructor(message: string, options: ModelErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "ModelError";
    this.code = options.code ?? (options.status === undefined ? "unreachable" : `status_${options.status}`);
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.isRetryable = options.isRetryable ?? isTransient(options.status);
    this.usage = options.usage;
  }
}

/** Without a status the connection failed; time-outs, rate limits and faults of the server pass, and what was sent well and arrived broken. */
function isTransient(status: number | undefined): boolean {
  return status === undefined || status < 400 || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Whatever a model throws, with the status it may carry. */
export function readModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = describeThrown(error) || "it failed and did not say why";
  try {
    return new ModelError(message, { cause: error, ...readRefusal(error) });
  } catch {
    // What was thrown cannot even be looked at.
    return new ModelError(message, { cause: error });
  }
}
