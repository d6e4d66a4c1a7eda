import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { WebTools } from "../../vocabulary/tool-set.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { isAllowedHost, resolveOuter } from "./address-guard.ts";
import { describeObject } from "./file-tools.ts";
import { readHtml } from "./read-html.ts";

const MAX_REDIRECTS = 5;

/** A tool that fetches pages from hosts of a list. */
export function createWebTool(name: string, set: WebTools): Tool {
  return defineTool({
    name,
    description: `Fetches a page and gives it as text. Hosts: ${set.hosts.join(", ")}.`,
    parameters: describeObject({ url: { type: "string", description: "An address, https://…" } }, ["url"]),
    effect: "read",
    execute: async (args: Readonly<{ url: string }>, { signal }) => {
      let url = readUrl(args.url, set);
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const answer = await fetchOnce(url, set, signal);
        if (answer.location === undefined) return describeAnswer(url, answer);
        // Each hop is looked at as the first address was.
        url = readUrl(new URL(answer.location, url).href, set);
      }
      throw new Error(`${args.url} redirects more than ${MAX_REDIRECTS} times`);
    },
  });
}

function readUrl(text: string, { hosts }: WebTools): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Error(`'${text}' is not an address: write https://…`);
  if (url.username !== "" || url.password !== "") throw new Error("an address with a user or password is not fetched");
  if (!isAllowedHost(url.hostname, hosts))
    throw new Error(`'${url.hostname}' is not among the hosts that may be fetched from: ${hosts.join(", ")}`);
  return url;
}

interface WebAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly location?: string | undefined;
}

async function fetchOnce(url: URL, set: WebTools, signal: AbortSignal): Promise<WebAnswer> {
  const address = await resolveOuter(url.hostname, set.isPrivate);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        signal,
        headers: {
          accept: "text/html, text/*, application/json",
          "accept-encoding": "identity",
          "user-agent": "baton",
        },
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
          if (size > set.maxBytes) response.destroy(new Error(`the page has more than ${set.maxBytes} bytes`));
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

function describeAnswer(url: URL, { status, type, body }: WebAnswer): string {
  if (status >= 400) throw new Error(`${url.href} answered ${status}`);
  const isText = type === "" || /^text\/|json|xml|javascript|yaml/i.test(type);
  if (!isText) throw new Error(`${url.href} is ${type}, which is not text`);
  const text = body.toString("utf8");
  return /html/i.test(type) ? readHtml(text) : text;
}
