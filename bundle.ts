import { readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { rolldown } from "rolldown";

/**
 * Bundles the published package: some hundred small modules would take Node longer to find than to run. Dependencies stay
 * outside, and what is imported when it is needed stays in files of its own. The MCP client comes inside: it is a
 * twentieth of what it would be installed. The types beside it are tsc's.
 */
const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({
  input: { index: "src/index.ts", "cli/main": "src/cli/main.ts" },
  platform: "node",
  external: (id) => isBuiltin(id) || Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
