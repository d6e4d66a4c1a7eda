import type { WebTools } from "../../vocabulary/tool-set.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool } from "../tool.ts";
import { type Fetched, fetchOuter } from "./fetch-outer.ts";
import { describeObject } from "./file-tools.ts";
import { readHtml } from "./read-html.ts";

/** A tool that fetches pages from hosts of a list. */
export function createWebTool(name: string, set: WebTools): Tool {
  return defineTool({
    name,
    description: `Fetches a page and gives it as text. Hosts: ${set.hosts.join(", ")}.`,
    parameters: describeObject({ url: { type: "string", description: "An address, https://…" } }, ["url"]),
    effect: "read",
    execute: async (args: Readonly<{ url: string }>, { signal }) => {
      const accept = "text/html, text/*, application/json";
      return describeAnswer(await fetchOuter(args.url, { ...set, accept }, signal));
    },
  });
}

function describeAnswer({ url, status, type, body }: Fetched): string {
  if (status >= 400) throw new Error(`${url.href} answered ${status}`);
  const isText = type === "" || /^text\/|json|xml|javascript|yaml/i.test(type);
  if (!isText) throw new Error(`${url.href} is ${type}, which is not text`);
  const text = body.toString("utf8");
  return /html/i.test(type) ? readHtml(text) : text;
}
