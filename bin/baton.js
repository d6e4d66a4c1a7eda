#!/usr/bin/env node
// In a checkout the sources run as they are; the published package has only dist/.
import { existsSync } from "node:fs";
import module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`baton needs Node.js 22.18 or newer, and this is ${process.version}.`);
  console.error("In a checkout `npx baton …` brings its own; elsewhere install a newer Node.js.");
  process.exit(2);
}
module.enableCompileCache?.();
const source = new URL("../src/cli/main.ts", import.meta.url);
const { main } = await import(existsSync(source) ? source.href : new URL("../dist/cli/main.js", import.meta.url).href);
await main(process.argv);
