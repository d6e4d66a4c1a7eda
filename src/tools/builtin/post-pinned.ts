import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";

interface PinnedPost {
  /** The address that was judged: no second look-up. */
  readonly address: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Posts to exactly the address that was looked up, and gives the status. Redirects are not followed. */
export function postPinned(url: URL, { address, body, headers, signal }: PinnedPost): Promise<number> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: "POST",
        signal,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        lookup: (_, options, done) =>
          options.all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address)),
        agent: false,
      },
      (response) => {
        // What it says is of no use.
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
