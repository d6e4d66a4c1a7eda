/** What the server refused, in its words. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Told when the server does not know the person any more, as after a session that has expired. */
export const loggedOut = new EventTarget();

/** Asks the server. Writes carry a header that no other site can send. */
export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: {
      accept: "application/json",
      "x-baton-studio": "1",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return undefined as Answer;
  const text = await response.text();
  const answer: unknown = text === "" ? {} : JSON.parse(text);
  if (response.status === 401) loggedOut.dispatchEvent(new Event("logged-out"));
  if (!response.ok) throw readProblem(response.status, answer);
  return answer as Answer;
}

function readProblem(status: number, problem: unknown): RequestError {
  const { code, detail, title } = (problem ?? {}) as { code?: string; detail?: string; title?: string };
  return new RequestError(status, code ?? "error", detail ?? title ?? `the server answered with status ${status}`);
}
