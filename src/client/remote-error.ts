import type { BatonErrorCode } from "../vocabulary/error-codes.ts";
import { BatonError, describeThrown } from "../vocabulary/errors.ts";

/** A refusal of the server, with the code of its problem document, or `server-unreachable`. */
export class RemoteError extends BatonError {
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: BatonErrorCode,
    message: string,
    more: { readonly status?: number; readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(code, message, "cause" in more ? { cause: more.cause } : {});
    this.name = "RemoteError";
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** Whether the same request may succeed in a moment: the server is away, restarting or busy. */
export function isPassing(error: unknown): error is RemoteError {
  if (!(error instanceof RemoteError)) return false;
  return error.code === "server-unreachable" || error.status === 503;
}

export function explainNoAnswer(url: URL, cause: unknown): RemoteError {
  const why = describeThrown(cause);
  return new RemoteError("server-unreachable", `${url.origin} does not answer: ${why}`, { cause });
}

/** Reads the problem document of an answer that is an error. */
export async function readProblem(response: Response): Promise<RemoteError> {
  const { status } = response;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const more = { status, retryAfterMs: Number.isNaN(seconds) ? undefined : seconds * 1000 };
  const text = await response.text().catch(() => "");
  const problem = parseProblem(text);
  // The codes of a newer server are not in our list, and are told as they are.
  if (problem !== undefined) return new RemoteError(problem.code as BatonErrorCode, problem.detail, more);
  // A proxy answers in place of a server that is away.
  const code = status >= 502 && status <= 504 ? "server-unreachable" : "internal-error";
  return new RemoteError(code, `the answer has the status ${status} and is not from Baton`, more);
}

function parseProblem(text: string): { readonly code: string; readonly detail: string } | undefined {
  try {
    const { code, detail }: { readonly code?: unknown; readonly detail?: unknown } = JSON.parse(text);
    return typeof code === "string" ? { code, detail: String(detail ?? code) } : undefined;
  } catch {
    return undefined;
  }
}
