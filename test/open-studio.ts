import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { packageCommand } from "./package-command.ts";

/** A studio that was started as people start it. */
export interface OpenedStudio {
  readonly url: string;
  readonly link: string;
  readonly child: ChildProcess;
}

/** Debian's browser, or the one that `CHROMIUM` names. Where there is none, the tests fail: they are never skipped. */
export function openBrowser(): Promise<Browser> {
  const found = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
  if (found === undefined) throw new Error("the tests of the studio need a browser: apt-get install chromium");
  return chromium.launch({ executablePath: found, args: ["--no-sandbox"] });
}

/** Starts `baton studio` in a folder, and reads its link as a program does. */
export async function startStudio(folder: string, args: readonly string[]): Promise<OpenedStudio> {
  const given = ["studio", ...args, "--no-open", "--json"];
  const child = spawn(process.execPath, [packageCommand(), ...given], {
    cwd: folder,
    env: { ...process.env, BATON_HOME: join(folder, ".baton") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let notes = "";
  child.stderr.on("data", (part) => {
    notes += part;
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), once(child, "exit").then(() => undefined)]);
  if (first === undefined) throw new Error(`the studio did not start: ${notes}`);
  lines.close();
  return { ...(JSON.parse(String(first[0])) as Pick<OpenedStudio, "url" | "link">), child };
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** What is not accessible on a page: each rule that is broken seriously, with the first place. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await checker.run({ resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map(({ html }) => html).slice(0, 3) }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, html }) => `${id}: ${html.join(" | ")}`);
}
