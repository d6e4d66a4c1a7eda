import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type BrowserContext, chromium } from "playwright-core";
import { parse, stringify } from "yaml";
import { shownViews } from "./shown-views.ts";

/**
 * `npm run screenshots -- <folder> <words>`: each view of the studio in both themes, at 1280 and at 390 pixels, on the examples
 * with runs of their own. `words` takes the views whose names contain them.
 */
const [, , folder = "/tmp/studio-screenshots", words = ""] = process.argv;
const root = resolve(import.meta.dirname, "..");
const baton = join(root, "bin/baton.js");
spawnSync("npm", ["run", "build", "--workspace", "studio"], { cwd: root, stdio: "ignore" });
const work = mkdtempSync(join(tmpdir(), "baton-screenshots-"));
const crews = ["support-desk", "quiz", "planning-team", "careful-desk", "multi-team"];
for (const crew of crews) cpSync(join(root, "examples", crew), join(work, crew), { recursive: true });
writeFileSync(join(work, "baton.yaml"), "");

/** Runs a crew on the replies of a scenario. */
function run(crew: string, scenario: string, input?: string): string {
  const path = scenario.endsWith(".script.yaml") ? scenario : `scenarios/${scenario}.scenario.yaml`;
  const read = parse(readFileSync(join(root, "examples", crew, path), "utf8"));
  const script = join(work, "replies.yaml");
  writeFileSync(script, stringify(read.script ?? read));
  const at = crew === "multi-team" ? "multi-team/master" : crew;
  const args = ["run", at, input ?? String(read.input), "--script", script, "--json"];
  const { stdout, stderr } = spawnSync(process.execPath, [baton, ...args], { cwd: work, encoding: "utf8" });
  try {
    return String(JSON.parse(stdout).runId);
  } catch {
    throw new Error(`${crew} ${scenario}: ${stderr}`);
  }
}

/** Payments that wait for a person. */
mkdirSync(join(work, "payouts/agents"), { recursive: true });
mkdirSync(join(work, "payouts/scenarios"));
writeFileSync(
  join(work, "payouts/crew.yaml"),
  `version: "2.0"
name: payouts
description: Pays customers back, after somebody has agreed
agents: [clerk, cashier]
models: [openai/gpt-5-mini]
routing:
  signals:
    clerk: [{ signal: "[PAY]", target: cashier }]
    cashier: [{ signal: "[PAID]", target: "" }]
  agent_behaviors: { clerk: { auto_route: false } }
`,
);
for (const [name, text] of [
  ["clerk", "You check claims. When a claim is right, end with [PAY]."],
  ["cashier", "You pay. Say how much you paid, then [PAID]."],
] as const)
  writeFileSync(
    join(work, `payouts/agents/${name}.md`),
    `---\nid: ${name}\nmodels: [openai/gpt-5-mini]\n---\n${text}\n`,
  );
writeFileSync(join(work, "gate.yaml"), 'clerk: ["The parcel was lost. The claim of 48 euros is right. [PAY]"]\n');
for (const order of ["A-1203", "A-1204", "A-1310"]) {
  const given = ["run", "payouts", `Order ${order} never arrived`, "--script", join(work, "gate.yaml"), "--json"];
  spawnSync(process.execPath, [baton, ...given], { cwd: work });
}

const runs = {
  desk: run("support-desk", "demo.script.yaml", "My Comet 2 flickers, and I ride home in the dark"),
  around: run("support-desk", "passed-around"),
  quiz: run("quiz", "demo.script.yaml", "Start the exam"),
  team: run("planning-team", "two-rounds"),
  teams: run("multi-team", "demo.script.yaml", "Compare the offers"),
};

const args = ["studio", "payouts", ...crews.map((crew) => (crew === "multi-team" ? "multi-team/master" : crew))];
const child = spawn(process.execPath, [baton, ...args, "--no-open", "--json", "--port", "0", "--write"], {
  cwd: work,
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface({ input: child.stdout }), "line");
const { url, link } = JSON.parse(String(line)) as { readonly url: string; readonly link: string };
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const context = await browser.newContext();
const first = await context.newPage();
await first.goto(link);
await first.getByRole("heading", { name: "Runs" }).waitFor();
await first.close();
mkdirSync(folder, { recursive: true });
for (const view of shownViews(runs).filter(({ name }) => name.includes(words))) await photograph(context, view);
await browser.close();
child.kill("SIGINT");
await once(child, "exit");
rmSync(work, { recursive: true });

async function photograph(browsing: BrowserContext, view: ReturnType<typeof shownViews>[number]): Promise<void> {
  const page = await browsing.newPage();
  await page.goto(url + view.path);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 860 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForLoadState("networkidle").catch(() => {});
      await view.prepare?.(page);
      await page.waitForTimeout(250);
      await page.screenshot({ path: join(folder, `${view.name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.close();
}
