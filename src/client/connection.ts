import { BatonError } from "../vocabulary/errors.ts";
import { explainNoAnswer, isPassing, readProblem } from "./remote-error.ts";

/** How a server is reached. */
export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4500`. */
  readonly url: string | URL;
  readonly token: string;
  /** How long the client tries again while the server does not answer. The default is a minute. */
  readonly patienceMs?: number | undefined;
  /** Makes the requests. The default is the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface Asking {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}

const PATIENCE_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** Requests to one server with one token. */
export class Connection {
  readonly #base: URL;
  readonly #token: string;
  readonly #fetch: typeof fetch;
  readonly #patienceMs: number;

  constructor({ url, token, patienceMs = PATIENCE_MS, fetch: own = fetch }: ClientOptions) {
    if (!URL.canParse(String(url)))
      throw new BatonError("bad-option", `'url' must be the address of a server, not '${url}'`);
    if (typeof token !== "string" || token === "") throw new BatonError("bad-option", "'token' is missing");
    const base = new URL(url);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    this.#base = base;
    this.#token = token;
    this.#patienceMs = patienceMs;
    // In a browser, fetch must not be called as a method of something else.
    this.#fetch = (...given) => own(...given);
  }

  /** The answer to a request. Throws a `RemoteError` if the server refuses it or does not answer. */
  async ask(path: string, { method, body, headers, query = {} }: Asking = {}): Promise<Response> {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
    const response = await this.#fetch(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${this.#token}`,
        // A form's own type names its boundary, which is not known yet.
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw explainNoAnswer(url, cause);
    });
    if (response.ok) return response;
    throw await readProblem(response);
  }

  async json<Answer>(path: string, asking?: Asking): Promise<Answer> {
    const response = await this.ask(path, asking);
    try {
      // The server checks its answers against the same types.
      return (await response.json()) as Answer;
    } catch (cause) {
      throw explainNoAnswer(this.#base, cause);
    }
  }

  /** Asks again while the server is away: only for what may be asked twice. */
  async persist<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    const patience = this.patience();
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        await patience.wait(error);
      }
    }
  }

  patience(): Patience {
    return new Patience(this.#patienceMs);
  }

  /** What went wrong while an answer was read. */
  explain(cause: unknown): BatonError {
    return cause instanceof BatonError ? cause : explainNoAnswer(this.#base, cause);
  }
}

/** How long to wait before the next attempt, and when to give up. */
export class Patience {
  readonly #most: number;
  #since: number | undefined;
  #attempts = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The server has answered: the time begins anew. */
  reset(): void {
    this.#since = undefined;
    this.#attempts = 0;
  }

  /** Waits, or throws what went wrong: it does not pass, or the time is over. */
  async wait(error: unknown): Promise<void> {
    if (!isPassing(error)) throw error;
    const now = Date.now();
    this.#since ??= now;
    const usual = Math.min(FIRST_WAIT_MS * 2 ** this.#attempts++, LONGEST_WAIT_MS);
    // Clients that lost the same server do not come back all at once.
    const ms = (error.retryAfterMs ?? usual) * (0.75 + Math.random() / 2);
    if (now + ms - this.#since > this.#most) throw error;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}
