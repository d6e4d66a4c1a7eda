import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Scope } from "./token-scope.ts";

/** Somebody who may use the server. */
export interface Token {
  readonly name: string;
  /** The SHA-256 of the secret. */
  readonly digest: Buffer;
  /** In milliseconds since 1970. */
  readonly expires: number | undefined;
  readonly scopes: ReadonlySet<Scope>;
  /** The crews that it may use; all if absent. */
  readonly crews: readonly string[] | undefined;
  readonly maxRuns: number | undefined;
  readonly requestsPerMinute: number | undefined;
  readonly maxCostUsdPerDay: number | undefined;
}

/** The name of the token that comes from BATON_TOKEN, or that is made at the start. */
const OPERATOR = "operator";

export function createSecret(): string {
  return `bt_${randomBytes(24).toString("base64url")}`;
}

export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** A token that may do everything. */
export function createOperator(secret: string): Token {
  return {
    name: OPERATOR,
    digest: digestOf(secret),
    expires: undefined,
    scopes: new Set(["admin"]),
    crews: undefined,
    maxRuns: undefined,
    requestsPerMinute: undefined,
    maxCostUsdPerDay: undefined,
  };
}

/** Finds the token of a secret. Every token is compared, each in constant time, so that the time says nothing. */
export function findToken(tokens: readonly Token[], secret: string, now: number): Token | undefined {
  const digest = digestOf(secret);
  const [found] = tokens.filter((token) => timingSafeEqual(token.digest, digest));
  return found?.expires !== undefined && found.expires <= now ? undefined : found;
}

export function allows({ scopes }: Pick<Token, "scopes">, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has("admin");
}

export function mayUseCrew({ crews }: Pick<Token, "crews">, crew: string): boolean {
  return crews === undefined || crews.includes(crew);
}
