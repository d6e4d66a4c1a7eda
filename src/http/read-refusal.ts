/** Why a server refused a request, as far as its client's error says. */
export interface Refusal {
  readonly status?: number;
  /** How long the server asks us to wait before we try again. */
  readonly retryAfterMs?: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads what a client of an HTTP server threw. Clients disagree on the field that holds the status. */
export function readRefusal(error: unknown): Refusal {
  const fields = asRecord(error);
  const status = [fields["statusCode"], fields["status"], fields["code"]].find(isStatus);
  const retryAfterMs = readRetryAfter(asRecord(fields["responseHeaders"]));
  return { ...(status !== undefined && { status }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A value whose fields may be looked at, whatever it is. */
export function asRecord(value: unknown): Fields {
  // Any object is a record of fields of which nothing is known.
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Servers write milliseconds, seconds, or a date by their own clock. */
function readRetryAfter(headers: Fields): number | undefined {
  const [ms, after] = [headers["retry-after-ms"], headers["retry-after"]];
  if (isNumber(ms)) return Number(ms);
  if (isNumber(after)) return Number(after) * 1000;
  const waitMs = Date.parse(String(after)) - Date.parse(String(headers["date"]));
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

function isNumber(text: unknown): boolean {
  return typeof text === "string" && /^\d+(\.\d+)?$/.test(text.trim());
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 100 && value < 600;
}
