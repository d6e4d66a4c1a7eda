import { type BatonErrorCode, errorCodes } from "../vocabulary/error-codes.ts";
import { BatonError } from "../vocabulary/errors.ts";

/** The status of each code that a caller can do something about. All others are our own failures. */
const statuses: Partial<Record<BatonErrorCode, number>> = {
  ...Object.fromEntries(
    [
      ...["bad-request", "bad-answer", "bad-option", "bad-options", "bad-fork", "bad-input", "bad-session", "no-input"],
      ...["bad-attachment", "outside-root"],
      ...["bad-model", "not-recordable", "bad-script", "invalid-configuration", "unknown-agent", "foreign-address"],
    ].map((code) => [code, 400]),
  ),
  unauthorized: 401,
  forbidden: 403,
  "host-not-allowed": 403,
  "origin-not-allowed": 403,
  "unknown-route": 404,
  "unknown-attachment": 404,
  "unknown-run": 404,
  "wrong-method": 405,
  "unknown-session": 404,
  "unknown-crew": 404,
  "unknown-user": 404,
  ...Object.fromEntries(
    [
      ...["conversation-active", "conversation-interrupted", "conversation-paused", "crew-changed", "run-active"],
      ...["idempotency-conflict", "not-broken", "not-expired", "not-paused", "pause-expired", "run-ended", "too-soon"],
      ...["run-owned", "other-crew", "script-too-short", "secret-not-stored"],
    ].map((code) => [code, 409]),
  ),
  "file-changed": 412,
  "run-failed": 422,
  "attachment-too-large": 413,
  "input-too-large": 413,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  "rate-limited": 429,
  stopping: 503,
  "store-busy": 503,
  "crew-closed": 503,
};

/** An RFC 9457 problem document. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly [key: string]: unknown;
}

/** A refusal with more than a code says: how long to wait, or which fields are wrong. */
export class Refusal extends BatonError {
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    code: BatonErrorCode,
    message: string,
    more: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(code, message);
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }
}

/** Whether a caller made the mistake, and may read the message. */
export function isOfCaller(error: unknown): error is BatonError {
  return error instanceof BatonError && statuses[error.code] !== undefined;
}

/** Describes an error for a caller. Our own failures show only their code, because their messages may name paths of this machine. */
export function describeProblem(error: unknown): Problem {
  const code = error instanceof BatonError ? error.code : "internal-error";
  const status = statuses[code] ?? 500;
  const detail = isOfCaller(error) ? error.message : errorCodes[code];
  const extra = error instanceof Refusal ? error.extra : {};
  return { type: `urn:baton:error:${code}`, title: code.replaceAll("-", " "), status, detail, code, ...extra };
}
