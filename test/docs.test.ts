import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runs } from "../src/cli/runs-command.ts";
import { show } from "../src/cli/show-command.ts";
import type { Terminal } from "../src/cli/terminal.ts";
import { loadDefinition } from "../src/definition/load-definition.ts";
import { findingCodes } from "../src/diagnosis/finding.ts";
import type { Store } from "../src/journal/store.ts";
import { loadCrew } from "../src/library/load-crew.ts";
import { readScript } from "../src/prepare/read-script.ts";
import { createVirtualClock } from "../src/run/virtual-clock.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { keepRuns, printed } from "./kept-runs.ts";
import { packagedLibrary } from "./package-command.ts";
import { newSchema } from "./postgres-server.ts";
import { runBaton } from "./run-baton.ts";
import { watchRun } from "./watch-run.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const scratch = mkdtempSync(join(root, "test", "planted-docs-"));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that the line before the block names. */
  readonly file: string | undefined;
}

describe("the README", () => {
  const blocks = blocksOf("README.md");
  const files = Object.fromEntries(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])));

  it("shows a crew that is in order", () => {
    expect(runBaton(["check", "."], { cwd: writeCrew(files) })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("✓ desk"),
    });
  });

  it("shows what `baton check` says of the same crew with a slip", () => {
    const slip = { ...files, "crew.yaml": (files["crew.yaml"] ?? "").replace("target: fixer", "target: fixr") };
    expect(`$ npx baton check .\n${runBaton(["check", "."], { cwd: writeCrew(slip) }).stdout}`).toBe(
      blockOf(blocks, "check"),
    );
  });

  it("shows what `baton graph` draws of it", () => {
    expect(`$ npx baton graph .\n${runBaton(["graph", "."], { cwd: writeCrew(files) }).stdout}`).toBe(
      blockOf(blocks, "graph"),
    );
  });
});

describe("the README's run", () => {
  it("prints what it shows", () => {
    const blocks = blocksOf("README.md");
    const files = Object.fromEntries(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])));
    const args = ["run", ".", "The printer is dead", "--script", "replies.yaml", "--verbose"];
    const { stdout, stderr } = runBaton(args, { cwd: writeCrew(files) });
    expect(`$ npx baton run . "The printer is dead" --script replies.yaml --verbose\n${stderr}${stdout}`).toBe(
      blockOf(blocks, "run"),
    );
  });
});

describe("the page on running crews", () => {
  it("shows what a run leaves on a terminal of 80 columns", async () => {
    const [path, input, script] = ["examples/quiz", "Start the exam", "examples/quiz/demo.script.yaml"];
    const { lines, summary } = await watchRun(join(root, path), input, { columns: 79, script: join(root, script) });
    const screen = [...lines, ...summary].join("\n");
    expect(`$ npx baton run ${path} "${input}" --script ${script}\n${screen}\n`).toBe(
      blockOf(blocksOf("docs/running.md"), "run examples/quiz"),
    );
  });

  it.each([
    ["runs", (terminal: Terminal, store: Store, now: number) => runs({}, terminal, store, now)],
    ["show last --tree", (terminal: Terminal, store: Store) => show("last", { tree: true }, terminal, store)],
    ["show last --cost", (terminal: Terminal, store: Store) => show("last", { cost: true }, terminal, store)],
  ])("shows what `baton %s` prints of that run", async (command, print) => {
    const script = readScript(join(root, "examples/quiz/demo.script.yaml"));
    const clock = createVirtualClock();
    const crew = await loadCrew(join(root, "examples/quiz"), { clock, script, env: {} });
    const events: BatonEvent[] = [];
    const onEvent = (event: BatonEvent) => void (event.seq !== undefined && events.push(event));
    await crew.run("Start the exam", { onEvent });
    const store = await keepRuns({ run_9f3a77c11b2c3d4e5f60: events });
    const { output } = await printed((terminal) => print(terminal, store, clock.now()), 79);
    expect(`$ npx baton ${command}\n${output}`).toBe(blockOf(blocksOf("docs/running.md"), command));
  });
});

describe("the page on diagnoses", () => {
  const blocks = blocksOf("docs/diagnosis.md");

  it("shows what `baton diagnose` says of the run it shows", () => {
    const files = Object.fromEntries(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])));
    const cwd = writeCrew(files);
    expect(runBaton(["run", ".", "Explain the tides", "--script", "replies.yaml"], { cwd }).exitCode).toBe(5);
    const { exitCode, stdout } = runBaton(["diagnose", "last"], { cwd });
    expect(exitCode).toBe(0);
    expect(`$ npx baton diagnose last\n${stdout}`).toBe(blockOf(blocks, "diagnose"));
  });

  it("has every code with its mode", () => {
    const page = readFileSync(join(root, "docs/diagnosis.md"), "utf8");
    for (const [code, mode] of Object.entries(findingCodes))
      expect(page).toContain(mode === undefined ? `\`${code}\`` : `| \`${code}\` | ${mode} |`);
  });
});

describe("a page that shows a whole session", () => {
  it.each(["docs/start.md", "docs/humans.md", "docs/importing.md"])(
    "%s: its commands print what it shows, one after another in one folder",
    (page) => {
      const blocks = blocksOf(page);
      const files = blocks.flatMap(({ file, language, text }) =>
        file === undefined || language === "diff" ? [] : [[file, text]],
      );
      // Where the package is installed, commands name themselves as readers call them.
      const cwd = writeCrew({ ...Object.fromEntries(files), "node_modules/.bin/baton": "" });
      const told = blocks.filter(({ language, text }) => language === "diff" || text.startsWith("$ "));
      expect(told.length).toBeGreaterThan(3);
      for (const { file, language, text } of told) {
        if (language === "diff") applyDiff(join(cwd, file ?? ""), text);
        else expect(`${text.split("\n")[0]}\n${printOf(text, cwd)}`).toBe(text);
      }
    },
  );
});

/** What the first line of a block prints, run in a shell or by the command itself. */
function printOf(text: string, cwd: string): string {
  const [command = ""] = text.split("\n");
  const [, words] = /^\$ npx baton (.*)$/.exec(command) ?? [];
  if (words === undefined) return spawnSync("sh", ["-c", command.slice(2)], { cwd, encoding: "utf8" }).stdout;
  const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  return runBaton(args, { cwd }).stdout;
}

/** Changes a file as a block shows: lines with a minus go, and lines with a plus come. */
function applyDiff(file: string, text: string): void {
  const lines = text.split("\n").filter((line) => line !== "");
  const sideOf = (mark: string) =>
    `${lines.flatMap((line) => (line[0] === mark || line[0] === " " ? line.slice(1) : [])).join("\n")}\n`;
  const before = readFileSync(file, "utf8");
  expect(before).toContain(sideOf("-"));
  writeFileSync(
    file,
    before.replace(sideOf("-"), () => sideOf("+")),
  );
}

describe("the docs", () => {
  it.each(pages)("%s: every TypeScript block runs", async (page) => {
    const entry = packagedLibrary();
    const needsServer = page === "docs/postgres.md";
    const env = needsServer ? { ...process.env, BATON_STORE: (await newSchema()).url } : process.env;
    for (const { text } of blocksOf(page).filter(({ language }) => language === "ts")) {
      const file = join(scratch, "block.ts");
      writeFileSync(file, text.replaceAll(`"baton-agents"`, JSON.stringify(entry)));
      const { status, stderr } = spawnSync(process.execPath, [file], { cwd: root, env, encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    }
  });

  it.each(
    pages.filter(
      (page) => /^docs\/(?:from-|humans)/.test(page) && blocksOf(page).some(({ file }) => file === "crew.yaml"),
    ),
  )("%s: its crew passes the check", (page) => {
    const files = blocksOf(page).flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]]));
    const { diagnostics } = loadDefinition(writeCrew(Object.fromEntries(files)), { workingDirectory: "/" });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
  });

  it.each(pages)("%s: every link leads to a file", (page) => {
    const links = [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#:\s]+)\)/g)].flatMap(
      (match) => match[1] ?? [],
    );
    const isCode = (link: string) => link === "url";
    expect(links.filter((link) => !isCode(link) && !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });
});

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/(?:^`([^`\n]+)`\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, file, language = "", content = ""]) => ({
      language,
      text: content,
      file,
    }),
  );
}

function blockOf(blocks: readonly Block[], command: string): string | undefined {
  return blocks.find(({ text }) => text.startsWith(`$ npx baton ${command}`))?.text;
}
