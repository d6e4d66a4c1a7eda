import { rmSync } from "node:fs";
import { rolldown } from "rolldown";

/**
 * Bundles the published package: some hundred small modules would take Node longer to find than to run. Dependencies stay
 * outside, and what is imported when it is needed stays in files of its own. The types beside it are tsc's.
 */
rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "cli/main": "src/cli/main.ts",
    "testing/store-contract": "src/testing/store-contract.ts",
  },
  platform: "node",
  external: (id) => !id.startsWith(".") && !id.startsWith("/"),
});
await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
