import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskedPause } from "./request-states.ts";

/** One call of a tool, as far as the protocol goes. The forms of the protocol differ only in here. */
export interface Exchange {
  /** Aborted when the client does not want the answer any more. */
  readonly signal: AbortSignal;
  /** Tells the client what is going on, if it wants to know. */
  tell(message: string): void;
  /** Whether the client hears of progress, and so probably does not give up after a minute. */
  readonly hearsProgress: boolean;
  /** How the person at the client is asked: by a result that the client answers when it calls again, or by a request during the call. */
  readonly asking: "result" | "request" | "never";
  /** Asks the person during the call. */
  ask(form: ElicitRequestFormParams, signal: AbortSignal, timeoutMs: number): Promise<ElicitResult>;
  /** The pause that this call answers, and with what. */
  readonly asked: AskedPause | undefined;
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  /** The trace that the client is in. */
  readonly traceparent: string | undefined;
}

/** Reads the exchange of a request. Over HTTP, older forms of the protocol have no way to ask. */
export function readExchange(
  { mcpReq, http }: ServerContext,
  server: McpServer,
  era: "legacy" | "modern",
  asked: AskedPause | undefined,
): Exchange {
  const { signal, _meta: meta, envelope, inputResponses } = mcpReq;
  const progressToken = meta?.progressToken;
  const traceparent = meta?.["traceparent"];
  // The SDK has checked that each key of the envelope has its form.
  const told = (envelope ?? {}) as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities };
  const capabilities = era === "modern" ? told[CLIENT_CAPABILITIES_META_KEY] : server.server.getClientCapabilities();
  let progress = 0;
  return {
    signal,
    hearsProgress: progressToken !== undefined,
    tell(message) {
      if (progressToken === undefined || signal.aborted) return;
      progress++;
      const params = { progressToken, progress, message };
      // A client that has gone is noticed elsewhere.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
    asking: takesForms(capabilities)
      ? era === "modern"
        ? "result"
        : http === undefined
          ? "request"
          : "never"
      : "never",
    ask: (form, until, timeout) => mcpReq.elicitInput(form, { signal: until, timeout, resetTimeoutOnProgress: true }),
    asked,
    answers: inputResponses,
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
  };
}

/** The trace that a call belongs to: the client says so in the message, or in a header. */
export function traceOf(
  { traceparent: own }: Exchange,
  caller: { readonly traceparent: string | undefined },
): { readonly traceparent?: string } {
  const traceparent = own ?? caller.traceparent;
  return traceparent === undefined ? {} : { traceparent };
}

/** Earlier forms of the protocol have one kind of elicitation, which is that by forms. */
function takesForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
