import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles the published package: some hundred small modules would take Node longer to find than to run. `yaml`, which every
 * command needs and which is as many again, goes in with its licence, and so do the MCP client and the HTTP server, which are
 * a twentieth of what they would be installed. Other dependencies stay outside, and what is imported when it is needed stays in
 * files of its own. The types beside it are tsc's. Tests name another folder than dist.
 */
const [, , folder = "dist"] = process.argv;
interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const { dependencies, peerDependencies }: Packages = JSON.parse(readFileSync("package.json", "utf8"));
const outside = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== "yaml");
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
});
// The client runs where Node's modules are not, so it shares no file with the rest.
const client = await rolldown({ input: { "client/client": "src/client/client.ts" }, platform: "neutral" });
await client.write({ dir: folder, format: "esm", entryFileNames: "[name].js" });
copyFileSync("node_modules/yaml/LICENSE", join(folder, "chunks/yaml.LICENSE"));
for (const name of ["croner", "hono", "@hono/node-server", "prom-client"])
  copyFileSync(
    `node_modules/${name}/LICENSE`,
    `${folder}/chunks/${name.replace(/\W+/g, "-").replace(/^-/, "")}.LICENSE`,
  );
copyFileSync("node_modules/@modelcontextprotocol/client/LICENSE", join(folder, "chunks/modelcontextprotocol.LICENSE"));
copyFileSync("node_modules/@apidevtools/swagger-parser/LICENSE", join(folder, "chunks/apidevtools.LICENSE"));
