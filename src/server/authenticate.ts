import type { Route } from "./api-route.ts";
import { Refusal } from "./problem.ts";
import type { RateLimits } from "./rate-limits.ts";
import { allows, findToken, type Token } from "./token.ts";
import type { TokenBook } from "./token-book.ts";

/** Whoever asks for what is public. */
const nobody: Token = {
  name: "nobody",
  digest: Buffer.alloc(0),
  expires: undefined,
  scopes: new Set(),
  crews: [],
  maxRuns: undefined,
  requestsPerMinute: undefined,
  maxCostUsdPerDay: undefined,
};

export function isNobody(token: Token): boolean {
  return token === nobody;
}

interface Authenticating {
  readonly tokens: TokenBook;
  readonly limits: RateLimits;
  /** Whether `/metrics` needs no token. */
  readonly isMetricsPublic: boolean;
}

/** Finds the token of a request, its own or that of its session. The token must have the scope that the route needs. */
export function authenticate(
  authorization: string | undefined,
  { tokens, limits, isMetricsPublic }: Authenticating,
  { scope, path }: Route,
  session?: Token,
): Token {
  if (scope === "public" || (isMetricsPublic && path === "/metrics")) return nobody;
  const now = Date.now();
  const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? "")?.[1];
  const token = secret === undefined ? session : findToken(tokens.list(now), secret, now);
  if (token === undefined)
    throw new Refusal("unauthorized", "send a valid token as 'Authorization: Bearer <token>'", {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  limits.take(token, now);
  if (allows(token, scope)) return token;
  throw new Refusal("forbidden", `this needs the scope '${scope}', which token '${token.name}' does not have`);
}
