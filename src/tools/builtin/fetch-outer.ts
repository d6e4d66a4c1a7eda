import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isAllowedHost, resolveOuter } from "./address-guard.ts";

const MAX_REDIRECTS = 5;

/** From where something may be fetched, and how much of it. */
export interface FetchRules {
  /** Hosts; `*.example.org` stands for all below it. Any host when absent. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether addresses of private networks and of this machine are allowed. */
  readonly isPrivate: boolean;
  readonly maxBytes: number;
  /** The types that are asked for. */
  readonly accept: string;
}

/** What an address gave. */
export interface Fetched {
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** Fetches something from outside. Each redirect is judged as the first address was. */
export async function fetchOuter(text: string, rules: FetchRules, signal: AbortSignal): Promise<Fetched> {
  let url = readUrl(text, rules);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await fetchOnce(url, rules, signal);
    if (answer.location === undefined) return { url, ...answer };
    url = readUrl(new URL(answer.location, url).href, rules);
  }
  throw new Error(`${text} redirects more than ${MAX_REDIRECTS} times`);
}

function readUrl(text: string, { hosts }: FetchRules): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Error(`'${text}' is not an address: write https://…`);
  if (url.username !== "" || url.password !== "") throw new Error("an address with a user or password is not fetched");
  if (hosts !== undefined && !isAllowedHost(url.hostname, hosts)) {
    const allowed = hosts.length === 0 ? "none is listed" : hosts.join(", ");
    throw new Error(`'${url.hostname}' is not among the hosts that may be fetched from: ${allowed}`);
  }
  return url;
}

interface Answer extends Omit<Fetched, "url"> {
  readonly location?: string | undefined;
}

async function fetchOnce(url: URL, rules: FetchRules, signal: AbortSignal): Promise<Answer> {
  const address = await resolveOuter(url.hostname, rules.isPrivate);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        signal,
        headers: { accept: rules.accept, "accept-encoding": "identity", "user-agent": "baton" },
        // No second look-up: the connection goes to the address that was judged.
        lookup: (_, options, done) =>
          options.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
        agent: false,
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        if (status >= 300 && status < 400 && headers.location !== undefined) {
          response.destroy();
          resolve({ status, type: "", body: Buffer.alloc(0), location: headers.location });
          return;
        }
        const parts: Buffer[] = [];
        let size = 0;
        response.on("data", (part: Buffer) => {
          size += part.byteLength;
          if (size > rules.maxBytes) response.destroy(new Error(`${url.href} has more than ${rules.maxBytes} bytes`));
          else parts.push(part);
        });
        response.on("end", () => resolve({ status, type: headers["content-type"] ?? "", body: Buffer.concat(parts) }));
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end();
  });
}
