import { asRecord, readRefusal } from "../http/read-refusal.ts";
import { ModelError, type ModelErrorOptions } from "./model.ts";

type Facts = Readonly<Record<string, unknown>>;

/** Failures in which nothing reached the provider. */
const notConnected: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Turns what a provider's client throws, or puts into its stream, into a ModelError. */
export function toModelError(error: unknown): ModelError {
  const chain = [...listCauses(error)];
  const own = chain.find((each) => each instanceof ModelError);
  if (own !== undefined) return own;
  const facts = asRecord(error);
  const { status, retryAfterMs } = readRefusal(error);
  const message = findMessage(facts, chain, status);
  if (status === undefined || status < 400) {
    const code = chain.map((each) => asRecord(each)["code"]).find((each) => notConnected.has(each));
    const hint = code === "ECONNREFUSED" ? ": nothing listens there; start the server, or set another address" : "";
    // The request may have been answered and counted.
    return new ModelError(message + hint, { cause: error, code: code === undefined ? "incomplete" : "unreachable" });
  }
  return new ModelError(message, {
    cause: error,
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(hasNothingLeft(facts) && { isRetryable: false }),
  });
}

/** An error after the answer began. Its cost so far is unknown. */
export function readErrorInAnswer(error: unknown): ModelError {
  const { message, code, status, isRetryable, retryAfterMs } = toModelError(error);
  const options: ModelErrorOptions = {
    cause: error,
    code: code === "too_large" ? code : "incomplete",
    isRetryable,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return new ModelError(message, options);
}

function* listCauses(error: unknown): Generator<unknown> {
  for (let each = error, depth = 0; each !== undefined && depth < 8; each = asRecord(each)["cause"], depth++)
    yield each;
}

function findMessage(facts: Facts, chain: readonly unknown[], status: number | undefined): string {
  const said = String(facts["message"] ?? (typeof chain[0] === "string" ? chain[0] : JSON.stringify(chain[0])));
  const cause = asRecord(chain.at(-1))["message"];
  const unfit = explainUnfit(said, facts);
  if (unfit !== undefined) return unfit;
  const body = findBody(facts, said);
  if (body !== undefined) return `${said}: ${body}`.slice(0, 2000);
  const whole = typeof cause === "string" && !said.includes(cause) ? `${said}: ${cause}` : said;
  return whole.trim() === "" ? `the server answered with status ${status ?? "none"}` : whole.slice(0, 2000);
}

/** Clients describe an answer that does not have the provider's format by all formats that they tried. */
function explainUnfit(said: string, { responseBody }: Facts): string | undefined {
  if (said === "Expected a normalized Anthropic stream error")
    return "the stream does not begin as the provider's format requires: a message_start event must have a usage with input_tokens";
  const value =
    said === "Invalid JSON response" ? responseBody : /^Type validation failed: Value: (.*)\.\n/s.exec(said)?.[1];
  if (typeof value !== "string" || value === "") return undefined;
  return `the answer does not have the provider's format, or lacks a part of it such as usage: ${value.slice(0, 500)}`;
}

/** The body of a refusal that the client could not read, so that its message gives no reason. Pages for people are left out. */
function findBody({ responseBody }: Facts, said: string): string | undefined {
  const body = typeof responseBody === "string" ? responseBody.trim() : "";
  const isRead = body.includes(JSON.stringify(said).slice(1, -1));
  return isRead || /^$|^<|^\{\}$/.test(body) ? undefined : body;
}

/** A limit that does not go away by waiting. */
function hasNothingLeft({ responseBody }: Facts): boolean {
  return typeof responseBody === "string" && responseBody.includes('"insufficient_quota"');
}
