import { randomBytes } from "node:crypto";
import type { Store } from "../../journal/store.ts";
import { createSecret, digestOf, findToken, type Token } from "../token.ts";

/** How long a browser stays logged in. */
const SESSION_MS = 7 * 86_400_000;
/** How long a link can be opened. */
const CODE_MS = 3_600_000;
const KIND = "studio-session";

/** Whoever opened the link that `baton studio` printed. No secret has this digest, so that no header can name this token. */
const studioToken: Token = {
  name: "studio",
  digest: Buffer.alloc(32),
  expires: undefined,
  scopes: new Set(["admin"]),
  crews: undefined,
  maxRuns: undefined,
  requestsPerMinute: undefined,
  maxCostUsdPerDay: undefined,
};

interface StoredSession {
  readonly token: string;
  /** The digest of the token, so that a session ends when its token is replaced. */
  readonly digest: string;
  readonly expires: number;
}

/** Browsers that are logged in. They stay so when the server restarts; the store has only hashes of what their cookies hold. */
export class StudioSessions {
  readonly #store: Store;
  readonly #tokens: (now: number) => readonly Token[];
  readonly #codes = new Map<string, number>();
  readonly #known = new Map<string, StoredSession>();

  /** Links exist only where `isLocal`: people who share a server log in with their tokens. */
  constructor(store: Store, tokens: (now: number) => readonly Token[], isLocal: boolean) {
    this.#store = store;
    this.#tokens = isLocal ? (now) => [studioToken, ...tokens(now)] : tokens;
  }

  /** A code that opens the studio once. */
  createCode(now: number): string {
    const code = randomBytes(24).toString("base64url");
    this.#codes.set(digestOf(code).toString("hex"), now + CODE_MS);
    return code;
  }

  /** The token that a code stands for; it stands for it only once. */
  redeem(code: string, now: number): Token | undefined {
    const digest = digestOf(code).toString("hex");
    const expires = this.#codes.get(digest) ?? 0;
    this.#codes.delete(digest);
    return expires > now ? studioToken : undefined;
  }

  findToken(secret: string, now: number): Token | undefined {
    return findToken(this.#tokens(now), secret, now);
  }

  /** Begins a session and gives the secret of its cookie. */
  async begin(token: Token, now: number): Promise<{ readonly secret: string; readonly seconds: number }> {
    const secret = createSecret();
    const session = { token: token.name, digest: token.digest.toString("hex"), expires: now + SESSION_MS };
    const key = digestOf(secret).toString("hex");
    await this.#store.put(KIND, key, session, 0);
    this.#known.set(key, session);
    await this.#dropExpired(now);
    return { secret, seconds: SESSION_MS / 1000 };
  }

  /** The token of a session, if both are still valid. */
  async find(secret: string, now: number): Promise<Token | undefined> {
    const key = digestOf(secret).toString("hex");
    const session = this.#known.get(key) ?? ((await this.#store.get(KIND, key))?.value as StoredSession | undefined);
    if (session === undefined || session.expires <= now) return undefined;
    this.#known.set(key, session);
    const token = this.#tokens(now).find(
      ({ name, digest }) => name === session.token && digest.toString("hex") === session.digest,
    );
    return token?.expires !== undefined && token.expires <= now ? undefined : token;
  }

  async end(secret: string): Promise<void> {
    const key = digestOf(secret).toString("hex");
    this.#known.delete(key);
    await this.#store.drop(KIND, key);
  }

  async #dropExpired(now: number): Promise<void> {
    for (const { key, value } of await this.#store.documents(KIND))
      if ((value as StoredSession).expires <= now) await this.#store.drop(KIND, key);
  }
}
