import { directFetch, refuseBeyond, withBody } from "../http/direct-fetch.ts";

/** How many bytes an answer of a remote agent may have. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * Fetches for one remote agent: from the place of its card only, so that its token goes nowhere else; without redirects; and no more than
 * some megabytes of an answer.
 */
export function createPeerFetch(card: URL, token: string | undefined, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== card.origin) throw new Error(`its card leads to another place, ${url.origin}`);
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const given = init?.signal;
    const signals = given === undefined || given === null ? [signal] : [signal, given];
    const asked = { ...init, headers, signal: AbortSignal.any(signals) };
    const response = await directFetch(url, asked, (message) => new Error(message));
    if (response.body === null) return response;
    return withBody(
      response,
      refuseBeyond(MAX_BYTES, response.body, (message) => new Error(message)),
    );
  };
}
