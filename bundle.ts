import { copyFileSync, rmSync } from "node:fs";
import { rolldown } from "rolldown";

/**
 * Bundles the published package: some hundred small modules would take Node longer to find than to run. `yaml`, which every
 * command needs and which is as many again, goes in with its licence; other dependencies stay outside, and what is imported
 * when it is needed stays in files of its own. The types beside it are tsc's.
 */
rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "cli/main": "src/cli/main.ts",
    "testing/store-contract": "src/testing/store-contract.ts",
  },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/") && id !== "yaml",
});
await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
copyFileSync("node_modules/yaml/LICENSE", "dist/chunks/yaml.LICENSE");
