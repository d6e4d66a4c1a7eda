import { readRefusal } from "../http/read-refusal.ts";
import type { Attachment } from "../vocabulary/attachment.ts";
import type { Usage } from "../vocabulary/bill.ts";
import { describeThrown } from "../vocabulary/errors.ts";
import type { Message, ProviderMetadata, ToolCall } from "../vocabulary/messages.ts";
import type { ListedModel } from "./price-table.ts";

/** A model that can be called. Adapters translate providers; a scripted model implements the same interface. */
export interface Model {
  readonly name: string;
  /** What the price table says about it, if it is listed. */
  readonly listed?: ListedModel | undefined;
  /** The address of its server, if it is known. */
  readonly server?: { readonly address: string; readonly port: number } | undefined;
  /** Whether its replies come from a script. A run on nothing else is refused where the script is too short to continue it. */
  readonly isScripted?: boolean;
  /** The name under which calls of an agent are counted, if the model uses another one. */
  findKey?(agent: string, crew: string): string;
  call(request: ModelRequest): Promise<ModelReply> | ModelReply;
}

/**
 * A request to a model. Its signal and callbacks are created when a model reads them, so `{ ...request }` does not contain
 * them. It is declared as a class so that the compiler knows that, too; at run time there is no such class.
 */
export declare abstract class ModelRequest {
  readonly agent: string;
  /** The call's place in the run. */
  readonly path: string;
  /** The crew's place in the run: names of sub-crews, outermost first, joined by `/`; empty for the run's own crew. */
  readonly crew: string;
  /** The number of calls in the run including this one, of this agent in this crew or under the model's own key. */
  readonly calls: number;
  readonly system: string;
  /** Built when called, so that a long history costs nothing if the model does not read it. */
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
  /** The form of the answer, if it must be JSON. */
  readonly json: { readonly schema: unknown } | undefined;
  /** The files that the messages refer to and the model is to get, by the names in their references. */
  readonly files?: ReadonlyMap<string, RequestFile> | undefined;
  abstract get signal(): AbortSignal;
  onText(text: string): void;
  onReasoning(text: string): void;
}

/** A file with its content: bytes, or text that stands in the message itself. */
export interface RequestFile extends Attachment {
  readonly content: Uint8Array | string;
}

/** A tool as a model is told of it. */
export interface ToolSpecification {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments. */
  readonly parameters: unknown;
}

/** A complete reply. An incomplete one is a ModelError. */
export interface ModelReply {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly providerMetadata?: ProviderMetadata;
  readonly usage?: Usage;
  readonly finish: "stop" | "tool-calls" | "length" | "content-filter";
  /** The model that answered, with the provider's name for it. */
  readonly responseModel?: string;
  /** How long the call took, and how long until the first words, if they were measured. */
  readonly ms?: number;
  readonly msToFirstToken?: number;
}

/** What is known of a failed call. */
export interface ModelErrorOptions {
  readonly code?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly isRetryable?: boolean;
  /** The usage that the provider counted for the failed call. */
  readonly usage?: Usage | undefined;
  readonly cause?: unknown;
}

/** A call that failed at the provider or on the way. */
export class ModelError extends Error {
  /** `status_429`, `unreachable`, or the code that the model gives. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Whether a retry may help. */
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

/**
 * Failures that may pass: no status (the connection failed), time-outs, rate limits, server errors, and answers that arrived
 * damaged.
 */
function isTransient(status: number | undefined): boolean {
  return status === undefined || status < 400 || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Turns anything that a model throws into a ModelError, with the status that it may have. */
export function readModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = describeThrown(error) || "it failed and did not say why";
  try {
    return new ModelError(message, { cause: error, ...readRefusal(error) });
  } catch {
    // The thrown value cannot even be read.
    return new ModelError(message, { cause: error });
  }
}
