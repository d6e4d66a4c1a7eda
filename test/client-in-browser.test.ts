import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Published from "../src/client/client.ts";
import { findChromium } from "./find-chromium.ts";
import { askingReplies, openServer } from "./open-server.ts";
import { packageCommand } from "./package-command.ts";

const PAGE = "<!doctype html><title>desk</title><script type=module src=/page.js></script>";

/** What the page does with the client, as anybody's page would. */
const SCRIPT = `
import * as client from "/client.js";
globalThis.baton = client;
`;

const client = readFileSync(join(dirname(packageCommand()), "../dist/client/client.js"), "utf8");
const pages = createServer((request, response) => {
  const [type, text] =
    request.url === "/client.js"
      ? ["text/javascript", client]
      : request.url === "/page.js"
        ? ["text/javascript", SCRIPT]
        : ["text/html", PAGE];
  response.writeHead(200, { "content-type": type }).end(text);
});
let browser: Awaited<ReturnType<typeof chromium.launch>>;
let origin = "";

beforeAll(async () => {
  await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
}, 60_000);
afterAll(async () => {
  await browser.close();
  pages.close();
});

async function openPage() {
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction(() => "baton" in globalThis);
  return page;
}

describe("the client in a browser", () => {
  it("starts a run, reads its events, answers its question and reads the rest", async () => {
    const { server } = await openServer({ replies: askingReplies, origins: [origin] });
    const page = await openPage();
    const seen = await page.evaluate(async (url) => {
      const { createClient } = (globalThis as unknown as { baton: typeof Published }).baton;
      const crew = createClient({ url, token: "bt_operator" }).crew("desk");
      const stream = crew.stream("What was it?", { variables: { city: "Rome" } });
      let text = "";
      const seqs: number[] = [];
      for await (const event of stream) {
        if (event.type === "text.delta") text += event.data.text;
        if (event.seq !== undefined) seqs.push(event.seq);
      }
      const { runId, status } = await stream.result;
      const rest: string[] = [];
      const resumed = crew.resume(runId, { input: "the left" });
      for await (const { type, seq } of resumed.events) if (seq !== undefined) rest.push(type);
      const { output } = await resumed.result;
      return { text, seqs, status, rest, output };
    }, server.url);
    expect(seen.seqs).toEqual(seen.seqs.map((_, index) => index));
    expect(seen).toMatchObject({ text: "Money.Which?", status: "paused", output: "That one." });
    expect([seen.rest[0], seen.rest.at(-1)]).toEqual(["run.resumed", "run.completed"]);
  }, 60_000);

  it("is told why the server refuses it, and that one of another origin is not let in", async () => {
    const { server } = await openServer({ origins: [origin] });
    const strict = await openServer();
    const page = await openPage();
    const codes = await page.evaluate(
      async ([url, other]) => {
        const { createClient } = (globalThis as unknown as { baton: typeof Published }).baton;
        const codeOf = (promise: Promise<unknown>) =>
          promise.then(
            () => "none",
            (error: { readonly code?: string }) => error.code,
          );
        return [
          await codeOf(createClient({ url: url ?? "", token: "wrong" }).crews()),
          await codeOf(createClient({ url: other ?? "", token: "bt_operator", patienceMs: 0 }).crews()),
        ];
      },
      [server.url, strict.server.url],
    );
    expect(codes).toEqual(["unauthorized", "server-unreachable"]);
  }, 60_000);

  it("shares its server with SDKs that send headers of their own", async () => {
    const { server } = await openServer({ origins: [origin] });
    const page = await openPage();
    const status = await page.evaluate(async (url) => {
      const headers = { authorization: "Bearer bt_operator", "x-stainless-lang": "js", "idempotency-key": "k" };
      return (await fetch(`${url}/openai/v1/models`, { headers })).status;
    }, server.url);
    expect(status).toBe(200);
  }, 60_000);
});
