import { existsSync } from "node:fs";
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

describe("loading a crew", () => {
  it.each(["check", "graph", "signals"])(
    "by `baton %s` imports no tool, starts no process and connects to nothing",
    (command) => {
      const folder = writeCrew({
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
        "agents/helper.md": "---js\nrequire('fs').writeFileSync('evaluated', '')\n---\nHelp.\n",
        "agents/other.md": "---\nid: helper\ndescription: helps\ntools: [lookup, files__read]\n---\nHelp.\n",
      });
      const { spawned, connected, modules } = watch([command, folder]);
      expect({ spawned, connected }).toEqual({ spawned: [], connected: [] });
      expect(modules.filter((url) => url.includes(folder))).toEqual([]);
      expect(["started", "imported", "evaluated"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    },
  );
});

describe("`baton check` of the smallest crew", () => {
  it("loads no drawing, schema, model, server or scenario code, and no package but the two it needs", () => {
    const { modules } = watch(["check", writeCrew(smallest)]);
    const own = modules.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url).slice(root.length));
    const areas = new Set(own.filter((file) => file.startsWith("src/")).map((file) => file.split("/")[1]));
    const expected = ["cli", "definition", "diagnostic.ts", "errors.ts", "flow", "signals", "template"];
    expect([...areas].filter((area) => !expected.includes(area ?? ""))).toEqual([]);
    expect(own.filter((file) => /draw|graph|schemas|scenario|models|server/.test(file))).toEqual([]);
    const packages = own.filter((file) => file.startsWith("node_modules/")).map((file) => file.split("/")[1]);
    expect([...new Set(packages)].sort()).toEqual(["commander", "yaml"]);
  });
});

function watch(args: readonly string[]): { modules: string[]; spawned: string[]; connected: string[] } {
  const { stderr } = runBaton(args, { nodeArgs: ["--import", new URL("./watch-process.ts", import.meta.url).href] });
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
}
