import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endProcess, findBarriers, type OpenedStudio, openBrowser, startStudio } from "./open-studio.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const EVIL = '<img src=x onerror="document.title=1">';

const deskFiles = {
  "baton.yaml": "",
  "desk/crew.yaml": `version: "2.0"
name: desk
description: ${EVIL.replaceAll('"', "'")}
agents: [clerk, cashier]
settings: { on_no_signal: stop }
models: [openai/gpt-5-mini]
routing:
  signals:
    clerk: [{ signal: "[PAY]", target: cashier }] # who pays
    cashier: [{ signal: "[PAID]", target: "" }]
  agent_behaviors: { clerk: { auto_route: false } }
`,
  "desk/agents/clerk.md": "---\nid: clerk\n---\nCheck the claim. [PAY]",
  "desk/agents/cashier.md": "---\nid: cashier\n---\nPay. [PAID]",
  "replies.yaml": `clerk: ['The claim is right ${EVIL}. [PAY]', "Again. [PAY]"]\ncashier: ["Paid 48. [PAID]"]\n`,
};

let browser: Browser;
let context: BrowserContext;
let studio: OpenedStudio;
let folder: string;
const problems: string[] = [];

beforeAll(async () => {
  folder = writeCrew(deskFiles);
  cpSync("examples/quiz", join(folder, "quiz"), { recursive: true });
  for (const order of ["A", "B"]) baton("run", "desk", `${EVIL} ${order}`, "--script", "replies.yaml");
  baton("run", "quiz", "Start the exam", "--script", "quiz/demo.script.yaml");
  browser = await openBrowser();
  studio = await startStudio(folder, ["desk", "quiz", "--script", "replies.yaml", "--port", "0", "--write"]);
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
});
afterAll(async () => {
  await browser.close();
  await endProcess(studio.child);
});

/** Runs a command on the studio's own store. */
function baton(...args: readonly string[]): string {
  return runBaton(args, { cwd: folder, home: join(folder, ".baton") }).stdout;
}

/** Opens an address of the studio and notes what the browser complains of. */
async function open(path: string): Promise<Page> {
  const page = await context.newPage();
  const isLogged = (text: string) => !text.startsWith("Failed to load");
  page.on(
    "console",
    (message) => message.type() === "error" && isLogged(message.text()) && problems.push(message.text()),
  );
  page.on(
    "response",
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(new URL(path, studio.url).href);
  return page;
}

/** Accessible in both themes, as it should be on every page. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
}

describe("the studio in a browser", () => {
  it("opens with its link, takes the code out of the address, and asks strangers for a token", async () => {
    const stranger = await open("/studio/");
    await stranger.getByLabel("Your token").waitFor();
    problems.splice(0);
    await expectAccessible(stranger);
    await stranger.close();
    const page = await open(studio.link);
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    expect(page.url()).toBe(`${studio.url}/studio/`);
    await page.reload();
    await page.getByText("Start the exam").waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it("shows a run: its summary, its time line, what a model was sent, and its moments", async () => {
    const page = await open("/studio/");
    await page.getByRole("link", { name: "Start the exam" }).click();
    await page.getByText("completed").first().waitFor();
    await page.getByRole("region", { name: "Timeline" }).waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await page
      .getByRole("button", { name: /model.called/ })
      .first()
      .click();
    await page.getByText("this is the agent's first call").waitFor();
    await page.getByRole("button", { name: "The exact request" }).click();
    await page.locator("body").press("[");
    await expect.poll(() => page.url()).toMatch(/[?&]at=\d+&event=\d+/);
    await page.goBack();
    await expect.poll(() => page.url()).toMatch(/\?tab=events$/);
    await expectAccessible(page);
    await page.close();
  });

  it("answers several runs at once, shows what a crew's words are as text, and counts in the title", async () => {
    const page = await open("/studio/inbox");
    await page.getByText(`2 runs wait`).waitFor();
    await expect.poll(() => page.title()).toBe("(2) Baton studio");
    expect(await page.locator("img").count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Approve all" }).click();
    await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
    await page.close();
  });

  it("checks an edited file as it is typed, fixes a name and keeps the comment, and saves it", async () => {
    const page = await open("/studio/crews/desk/files");
    const editor = page.locator(".editor .cm-content");
    await editor.waitFor();
    await page.getByText("No problems found").waitFor();
    await editor.getByText("cashier }").first().click();
    await page.keyboard.press("End");
    for (let count = 0; count < " }] # who pays".length; count++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("x");
    await page.getByText("unknown-target").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Write 'cashier'" }).last().click();
    await page.getByText("No problems found").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("button", { name: /agents\/clerk.md/ }).click();
    await page.locator(".editor .cm-content").getByText("Check the claim").click();
    await page.keyboard.type("Please. ");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => readFileSync(join(folder, "desk/agents/clerk.md"), "utf8")).toContain("Please. ");
    expect(readFileSync(join(folder, "desk/crew.yaml"), "utf8")).toContain("# who pays");
    writeFileSync(join(folder, "desk/agents/clerk.md"), "---\nid: clerk\n---\nSomebody else. [PAY]");
    await page.locator(".editor .cm-content").getByText("Check the claim").click();
    await page.keyboard.type("Mine. ");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("has changed on disk").waitFor();
    expect(problems.filter((problem) => !problem.startsWith("412"))).toEqual([]);
    problems.splice(0);
    await page.close();
  });

  it("shows plan, coverage and traffic on the drawing, and figures over time", async () => {
    const page = await open("/studio/crews/quiz/plan");
    await page.getByRole("columnheader", { name: "At worst" }).waitFor();
    await page.getByLabel("Handoffs at most").fill("2");
    await page.getByText("(now ").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Coverage" }).click();
    await page.getByText("% covered").waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Traffic" }).click();
    await page.getByRole("cell", { name: "teacher", exact: false }).first().waitFor();
    await page.goto(`${studio.url}/studio/stats`);
    await page.getByRole("img", { name: /^Runs by day/ }).waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it("chats, and answers a question in the conversation", async () => {
    const page = await open("/studio/crews/desk/chat");
    await page.getByLabel("Your message").fill("Order C never arrived");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Paid 48.").first().waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it("forks a run with another reply, and marks the first difference", async () => {
    const page = await open("/studio/");
    await page.getByRole("link", { name: `${EVIL} A` }).click();
    await page.getByRole("tab", { name: "Events" }).click();
    await page
      .getByRole("button", { name: /model.completed/ })
      .first()
      .click();
    await page.getByRole("link", { name: /^Fork at/ }).click();
    await page.getByRole("textbox", { name: "Reply" }).fill("It was stolen. [PAY]");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Fork and compare" }).click();
    await page.getByText("The first difference").waitFor();
    await expectAccessible(page);
    await page.close();
  });

  it("finds pages with the keyboard, and lists its keys", async () => {
    const page = await open("/studio/");
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("desk crew");
    await page.getByRole("option", { name: /^desk/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "desk" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Keys" }).waitFor({ state: "detached" });
    const inbox = page.getByRole("heading", { name: "Inbox" });
    await expect.poll(() => pressInTurn(page, ["g", "i"]).then(() => inbox.isVisible())).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.close();
  });

  it("exports a run as one file that opens from disk, in which words stay text", async () => {
    const stdout = baton("show", "last", "--html");
    const file = join(folder, "run.html");
    writeFileSync(file, stdout);
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => /^https?:/.test(request.url()) && problems.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.getByText("Exported, read-only").waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("button", { name: /run.started/ }).click();
    expect(await page.locator("img").count()).toBe(1);
    expect(await page.title()).toBe("desk, a run of Baton");
    await expectAccessible(page);
    await page.close();
  });

  it("nothing on the way made the browser complain", () => {
    expect(problems).toEqual([]);
  });
});

async function pressInTurn(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
