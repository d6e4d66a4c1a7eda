import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { doctor } from "../src/cli/doctor-command.ts";
import { markdownLines } from "../src/cli/show/markdown-lines.ts";
import type { Terminal } from "../src/cli/terminal.ts";
import { openSqliteStore } from "../src/journal/open-sqlite-store.ts";
import { printed } from "./kept-runs.ts";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const crew = (more = "") => ({
  "crew.yaml": `version: "2.0"\nname: desk\nagents: [clerk]\nmodels: [openai/gpt-5-mini]\n${more}`,
  "agents/clerk.md": "---\ndescription: answers\nis_terminal: true\n---\nAnswer.\n",
});

/** What `baton doctor --json` finds, by what it is about. */
async function examine(folder: string, options: Partial<Terminal> = {}, online = false) {
  const { exitCode, output } = await printed((terminal) =>
    doctor(folder, { json: true, online, root: folder }, { ...terminal, ...options }),
  );
  const { findings } = JSON.parse(output) as { findings: { about: string; state: string; text: string }[] };
  const of = (about: string) => findings.filter((each) => each.about === about);
  return { exitCode, of };
}

describe("baton doctor", () => {
  it("names the key that is missing, and never the value of one", async () => {
    const folder = writeCrew(crew());
    const without = await examine(folder);
    expect(without.exitCode).toBe(1);
    expect(without.of("model")).toMatchObject([{ state: "wrong", text: expect.stringContaining("OPENAI_API_KEY") }]);
    const { output } = await printed((terminal) =>
      doctor(folder, {}, { ...terminal, variables: { OPENAI_API_KEY: "sk-of-mine" } }),
    );
    expect(output).toContain("✓ model");
    expect(output).not.toContain("sk-of-mine");
  });

  it("counts a model without a key as a note where another can answer", async () => {
    const folder = writeCrew({
      ...crew(),
      "crew.yaml": crew()["crew.yaml"].replace("[openai/gpt-5-mini]", "[openai/gpt-5-mini, ollama/llama3.2]"),
    });
    const { exitCode, of } = await examine(folder);
    expect({ exitCode, states: of("model").map(({ state }) => state) }).toEqual({
      exitCode: 0,
      states: ["note", "fine"],
    });
  });

  it("calls a model only if it is asked to, and says what the provider answered", async () => {
    const variables = { OPENAI_API_KEY: "x", OPENAI_BASE_URL: "http://127.0.0.1:1" };
    const folder = writeCrew(crew());
    expect((await examine(folder, { variables })).exitCode).toBe(0);
    const online = await examine(folder, { variables }, true);
    expect(online.of("model")).toMatchObject([{ state: "wrong" }]);
  });

  it("starts no server that is not approved on this machine", async () => {
    const server = "mcp_servers: { notes: { command: never-started } }\n";
    const files = crew(server);
    const agent = files["agents/clerk.md"].replace("is_terminal", "tools: [notes__*]\nis_terminal");
    const { of } = await examine(writeCrew({ ...files, "agents/clerk.md": agent }));
    expect(of("server")).toMatchObject([{ state: "note", text: expect.stringContaining("was not started") }]);
  });

  it("tells of a crew with errors, and of a store that cannot be read", async () => {
    const folder = writeCrew({
      ...crew("entry_point: nobody\n"),
      ".baton/journal.sqlite": "this is no database, and long enough",
    });
    const { exitCode, of } = await examine(folder);
    expect(exitCode).toBe(1);
    expect(of("crew")).toMatchObject([{ state: "wrong", text: expect.stringContaining("1 error") }]);
    expect(of("store")).toMatchObject([{ state: "wrong" }]);
  });

  it("leaves no trace in the store, and creates none", async () => {
    const folder = writeCrew(crew());
    expect((await examine(folder)).of("store")).toMatchObject([{ state: "note" }]);
    expect(readdirSync(folder)).not.toContain(".baton");
    const file = join(folder, ".baton/journal.sqlite");
    await (await openSqliteStore(file)).close();
    expect((await examine(folder)).of("store")).toMatchObject([{ state: "fine" }]);
    const store = await openSqliteStore(file);
    expect(await store.kinds()).toEqual([]);
    await store.close();
  });
});

describe("completion", () => {
  const complete = (words: readonly string[]) => {
    const script = `${runBaton(["completion", "bash"]).stdout}
      COMP_WORDS=(${words.map((word) => JSON.stringify(word)).join(" ")}); COMP_CWORD=${words.length - 1}
      _baton; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8", cwd: docs });
    return { words: stdout.split("\n").filter(Boolean), stderr };
  };

  it("completes commands, options, choices, files and runs in bash", () => {
    expect(complete(["baton", "re"])).toEqual({ words: ["resume", "replay"], stderr: "" });
    expect(complete(["baton", "run", "--ver"])).toEqual({ words: ["--verbose"], stderr: "" });
    expect(complete(["baton", "graph", "--format", "m"])).toEqual({ words: ["mermaid"], stderr: "" });
    expect(complete(["baton", "check", "sig"])).toEqual({ words: ["signals.md"], stderr: "" });
    expect(complete(["baton", "show", "la"]).words).toContain("last");
  });

  it("lists every command for zsh and fish, too", () => {
    for (const shell of ["zsh", "fish"]) {
      const { stdout } = runBaton(["completion", shell]);
      for (const name of ["init", "run", "resume", "doctor", "serve"])
        expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });
});

describe("baton help", () => {
  it("shows a command, a page, or the page of a command's name", () => {
    expect(runBaton(["help", "run"]).stdout).toContain("Usage: baton run");
    expect(runBaton(["help", "guards"]).stdout).toMatch(/^Guards\n/);
    expect(runBaton(["help", "signals"]).stdout).toContain("baton help signals --guide");
    expect(runBaton(["help", "signals", "--guide"]).stdout).toMatch(/^Signals\n/);
  });

  it("suggests the nearest name", () => {
    expect(runBaton(["help", "gaurds"])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'guards'") });
  });

  for (const page of readdirSync(docs).filter((file) => file.endsWith(".md")))
    it(`shows ${page} without marks of Markdown, in the columns of the screen but for code`, () => {
      const lines = markdownLines(readFileSync(join(docs, page), "utf8"), 80, (_, text) => text);
      const prose = lines.filter((line) => !line.startsWith("    ") || line.startsWith("      "));
      const bare = prose
        .map((line) => line.replace(/`[^`]*`/g, ""))
        .join("\n")
        .replaceAll(/`[^`]*`/g, "");
      expect(bare.split("\n").filter((line) => /\]\(|\*\*|^# |^\|/.test(line))).toEqual([]);
    });
});

describe("--quiet and --no-color", () => {
  const folder = () =>
    writeCrew({
      ...crew(),
      "s.yaml": "clerk: [Done.]\n",
      "bad.yaml": "clerk: [{ error: { status: 400, message: no } }]\n",
    });

  it("leaves nothing but the answer of a run that completes, and tells what went wrong with another", () => {
    const cwd = folder();
    expect(runBaton(["run", ".", "x", "--script", "s.yaml", "--quiet"], { cwd })).toEqual({
      exitCode: 0,
      stdout: "Done.\n",
      stderr: "",
    });
    expect(runBaton(["run", ".", "x", "--script", "bad.yaml", "--quiet"], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("no"),
    });
  });

  it("leaves nothing of a crew without problems, and only what failed of scenarios", () => {
    const cwd = writeCrew({
      ...crew(),
      "a.scenario.yaml": "name: good\nrun: .\ninput: x\nscript: { clerk: [Done.] }\nexpect: { output: Done. }\n",
      "b.scenario.yaml": "name: bad\nrun: .\ninput: x\nscript: { clerk: [Done.] }\nexpect: { output: Else }\n",
    });
    expect(runBaton(["check", ".", "--quiet"], { cwd }).stdout).toBe("");
    const { stdout } = runBaton(["test", ".", "--quiet"], { cwd });
    expect(stdout).toContain("✗ bad");
    expect(stdout).not.toContain("good");
    expect(stdout).toContain("1 passed, 1 failed");
  });

  it("prints no colours wherever --no-color is", () => {
    const args = ["check", ".", "--no-color"];
    const env = { ...process.env, FORCE_COLOR: "1", NO_COLOR: "" };
    const cwd = writeCrew(crew("entry_point: nobody\n"));
    const bin = fileURLToPath(new URL("../bin/baton.js", import.meta.url));
    const go = (words: readonly string[]) =>
      spawnSync(process.execPath, [bin, ...words], { cwd, env, encoding: "utf8" }).stdout;
    expect(go(args)).not.toContain("\u001b");
    expect(go(["--no-color", "check", "."])).toContain("unknown-entry-point");
  });
});
