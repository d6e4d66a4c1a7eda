import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findChromium } from "./find-chromium.ts";
import { askingReplies, openServer } from "./open-server.ts";

const doc = readFileSync(fileURLToPath(new URL("../docs/ag-ui.md", import.meta.url)), "utf8");
const scratch = mkdtempSync(fileURLToPath(new URL("planted-page-", import.meta.url)));
let settings: unknown;
let script = "";
const pages = createServer((request, response) => {
  const [type, text] =
    request.url === "/page.js"
      ? ["text/javascript", script]
      : request.url === "/settings.json"
        ? ["application/json", JSON.stringify(settings)]
        : ["text/html", blockOf("html")];
  response.writeHead(200, { "content-type": type }).end(text);
});
let browser: Awaited<ReturnType<typeof chromium.launch>>;
let origin = "";

beforeAll(async () => {
  writeFileSync(join(scratch, "page.js"), blockOf("js"));
  const bundle = await rolldown({ input: join(scratch, "page.js"), platform: "browser" });
  const { output } = await bundle.generate({ format: "esm" });
  script = output[0].code;
  await new Promise<void>((done) => pages.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
}, 60_000);
afterAll(async () => {
  await browser.close();
  pages.close();
  rmSync(scratch, { recursive: true });
});

it("the page of docs/ag-ui.md shows who says what, is asked, and answers, in a real browser", async () => {
  const { server } = await openServer({ replies: askingReplies, origins: [origin] });
  settings = { url: server.url, token: "bt_operator" };
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(origin);
  await page.fill("input", "What was it?");
  await page.press("input", "Enter");
  await page.waitForFunction('[...document.querySelectorAll("li")].some((li) => li.textContent.startsWith("? "))');
  await page.fill("input", "the left one");
  await page.press("input", "Enter");
  await page.waitForFunction('document.querySelector("ul").textContent.includes("That one.")');
  expect(await page.locator("li").allTextContents()).toEqual([
    ...["you: What was it?", "triage: Money.", "(handoff 1: triage -> billing)", "billing: Which?"],
    ...[expect.stringMatching(/^\? /), "you: the left one", "billing: That one."],
  ]);
  expect(errors).toEqual([]);
}, 60_000);

function blockOf(language: string): string {
  const [, text = ""] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(doc) ?? [];
  return text;
}
