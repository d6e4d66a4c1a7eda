import { RequestError, request } from "./request.ts";

/** Who is logged in, and what they may do. */
export interface Session {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Whether the studio is this person's own, opened with a link. */
  readonly isLocal: boolean;
  /** Whether files of crews can be changed without allowing it first. */
  readonly canWrite: boolean;
}

const ADDRESS = "/studio/session";

/**
 * Logs in with the code in the address, which leaves the address at once; else finds who is logged in already. A code works
 * once: whoever opens its link again is logged in by the cookie.
 */
export async function openSession(): Promise<Session | undefined> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return await findSession();
  history.replaceState(null, "", location.pathname + location.search);
  try {
    return await request<Session>("POST", ADDRESS, { code });
  } catch (error) {
    const known = await findSession();
    if (known === undefined) throw error;
    return known;
  }
}

export function logIn(token: string): Promise<Session> {
  return request<Session>("POST", ADDRESS, { token });
}

async function findSession(): Promise<Session | undefined> {
  try {
    return await request<Session>("GET", ADDRESS);
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) return undefined;
    throw error;
  }
}

/** Whether somebody may do what needs a scope. */
export function allows({ scopes }: Session, scope: string): boolean {
  return scopes.includes(scope) || scopes.includes("admin");
}
