import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runBaton } from "./run-baton.ts";
import { writeCrew } from "./write-crew.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const smallest = {
  "crew.yaml": 'version: "2.0"\nname: solo\nagents: [helper]\n',
  "agents/helper.md": "---\ndescription: helps\n---\nHelp.\n",
};

/** A crew in which everything that could be started or imported leaves a trace. */
const armed = {
  "package.json": "{}",
  "crew.yaml": [
    'version: "2.0"',
    "name: armed",
    "agents: [helper]",
    "tools: { lookup: ./tools.ts#lookup }",
    "mcp_servers:",
    "  files: { command: touch, args: [started] }",
    "  remote: { url: 'http://127.0.0.1:9/mcp' }",
    "settings: { external: { webhook: 'http://127.0.0.1:9/hook' } }",
  ].join("\n"),
  "tools.ts": `import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("./imported", import.meta.url), "");\n`,
  "agents/helper.md": "---\ndescription: helps\ntools: [lookup, files__read]\n---\nHelp.\n",
};

describe("loading a crew", () => {
  it.each(["check", "graph", "signals", "stats", "suggest"])(
    "by `baton %s` imports no tool, starts no process, connects to nothing",
    (command) => {
      const folder = writeCrew(armed);
      const { exitCode, spawned, connected, modules } = watch([command, folder]);
      expect({ exitCode, spawned, connected }).toEqual({ exitCode: 0, spawned: [], connected: [] });
      expect(modules.filter((url) => url.includes(folder))).toEqual([]);
      expect(["started", "imported"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    },
  );

  it.each([["diagnose"], ["show"], ["replay"], ["graph", "--run"]])(
    "by `baton %s` of a run that is kept imports no tool, starts no process, connects to nothing",
    (...command) => {
      const folder = writeCrew({
        ...armed,
        "agents/helper.md": smallest["agents/helper.md"],
        "r.yaml": "helper: [Hi.]\n",
      });
      expect(runBaton(["run", folder, "Help me", "--script", join(folder, "r.yaml")], { cwd: folder }).exitCode).toBe(
        0,
      );
      writeFileSync(join(folder, "agents/helper.md"), armed["agents/helper.md"]);
      const { exitCode, spawned, connected, modules } = watch([...command, "last"], folder);
      expect({ exitCode, spawned, connected }).toEqual({ exitCode: 0, spawned: [], connected: [] });
      expect(modules.filter((url) => url.includes(folder))).toEqual([]);
      expect(["started", "imported"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    },
  );

  it("evaluates no frontmatter, whatever language it claims to be", () => {
    const evil = "---js\nrequire('fs').writeFileSync('evaluated', '')\n---\nHelp.\n";
    const folder = writeCrew({ ...smallest, "agents/helper.md": evil });
    expect(watch(["check", folder]).exitCode).toBe(3);
    expect(existsSync(join(folder, "evaluated"))).toBe(false);
  });
});

describe("`baton check` of the smallest crew", () => {
  it("loads no drawing, schema, model, server or scenario code, and no package but the two it needs", () => {
    const { modules } = watch(["check", writeCrew(smallest)]);
    const own = modules.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url).slice(root.length));
    const areas = new Set(own.filter((file) => file.startsWith("src/")).map((file) => file.split("/")[1]));
    const expected = ["cli", "definition", "regex", "flow", "signals", "regex", "template", "vocabulary"];
    // The help names the systems whose files can be imported.
    const names = "src/import/crew-plan.ts";
    expect(own.filter((file) => file.startsWith("src/import/"))).toEqual([names]);
    expect([...areas].filter((area) => area !== "import" && !expected.includes(area ?? ""))).toEqual([]);
    expect(own.filter((file) => /draw|graph|schemas|scenario|models|server/.test(file))).toEqual([]);
    const packages = own.filter((file) => file.startsWith("node_modules/")).map((file) => file.split("/")[1]);
    expect([...new Set(packages)].sort()).toEqual(["commander", "yaml"]);
  });
});

interface Watched {
  readonly exitCode: number | null;
  readonly modules: readonly string[];
  readonly spawned: readonly string[];
  readonly connected: readonly string[];
}

function watch(args: readonly string[], cwd?: string): Watched {
  const nodeArgs = ["--import", new URL("./watch-process.ts", import.meta.url).href];
  const { exitCode, stderr } = runBaton(args, { nodeArgs, ...(cwd !== undefined && { cwd }) });
  return { exitCode, ...JSON.parse(stderr.trim().split("\n").at(-1) ?? "") };
}
