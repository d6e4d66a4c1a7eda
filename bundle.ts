import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { type ChunkingContext, rolldown } from "rolldown";
import { build } from "vite";

/**
 * Bundles the published package: some hundred small modules would take Node longer to find than to run. `yaml`, which every
 * command needs and which is as many again, goes in with its licence, and so do the MCP client, the MCP server and the HTTP server, which are
 * a twentieth of what they would be installed. Other dependencies stay outside, and what is imported when it is needed stays in
 * files of its own. What the library imports at once is a few files (`layers`). The types beside it are tsc's. Tests name another folder than dist.
 */
const [, , folder = "dist"] = process.argv;
interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const { dependencies, peerDependencies }: Packages = JSON.parse(readFileSync("package.json", "utf8"));
const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== "yaml");
/**
 * A file more costs as much as fifteen kilobytes more, so the library is one file for each module here, with what that imports and
 * the ones before it do not: a command that only checks loads nothing of what runs.
 */
const layers = [
  ["base", "src/cli/main.ts"],
  ["definition", "src/cli/check-command.ts"],
  ["engine", "src/cli/run-command.ts"],
  ["library", "src/index.ts"],
] as const;
const imported = new Map<string, ReadonlySet<string>>();
rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "cli/main": "src/cli/main.ts",
    "testing/store-contract": "src/testing/store-contract.ts",
  },
  platform: "node",
  external: (id) => isBuiltin(id) || outside.some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({
  dir: folder,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  codeSplitting: { groups: [{ name: findLayer, debugName: "layer" }] },
});
// The client runs where Node's modules are not, so it shares no file with the rest.
const client = await rolldown({ input: { "client/client": "src/client/client.ts" }, platform: "neutral" });
await client.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
// The studio's page, which only `baton studio` and `serve --studio` read.
await build({
  root: "studio",
  logLevel: "warn",
  build: { outDir: resolve(folder, "studio"), emptyOutDir: true, chunkSizeWarningLimit: 700 },
});
await build({
  root: "studio",
  configFile: "studio/vite.export.config.ts",
  logLevel: "warn",
  build: { outDir: resolve(folder, "studio/export"), emptyOutDir: true },
});
const inPage = ["react", "react-dom", "@xyflow/react", "@dagrejs/dagre", "@tanstack/react-virtual"];
const licences = inPage.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`);
writeFileSync(join(folder, "studio/licences.txt"), licences.join("\n\n"));
copyFileSync("node_modules/yaml/LICENSE", join(folder, "chunks/yaml.LICENSE"));
for (const name of ["@a2a-js/sdk", "@ag-ui/core", "croner", "hono", "@hono/node-server", "prom-client"])
  copyFileSync(
    `node_modules/${name}/LICENSE`,
    `${folder}/chunks/${name.replace(/\W+/g, "-").replace(/^-/, "")}.LICENSE`,
  );
// The licence of the MCP client is that of the MCP server, too.
copyFileSync("node_modules/@modelcontextprotocol/client/LICENSE", join(folder, "chunks/modelcontextprotocol.LICENSE"));
copyFileSync("node_modules/@apidevtools/swagger-parser/LICENSE", join(folder, "chunks/apidevtools.LICENSE"));

/** Finds the file for a module that the library imports at once; null for any other. */
function findLayer(id: string, context: ChunkingContext): string | null {
  if (!listImported("src/index.ts", context).has(id)) return null;
  return layers.find(([, entry]) => listImported(entry, context).has(id))?.[0] ?? null;
}

/** The modules that are there as soon as a module is: all but those that are imported when they are needed. */
function listImported(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const known = imported.get(entry);
  if (known !== undefined) return known;
  const found = new Set([resolve(entry)]);
  // A set also yields what is added to it meanwhile.
  for (const id of found) for (const each of context.getModuleInfo(id)?.importedIds ?? []) found.add(each);
  imported.set(entry, found);
  return found;
}
