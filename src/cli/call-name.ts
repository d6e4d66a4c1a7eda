import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Terminal } from "./terminal.ts";

/**
 * How to call this program again from the same folder. `npx baton` works only where the package is installed: elsewhere npx would fetch
 * another package of that name.
 */
export function findCallName({ workingDirectory, variables }: Terminal): string {
  for (let at = workingDirectory; ; at = dirname(at)) {
    if (existsSync(join(at, "node_modules/.bin/baton")) || existsSync(join(at, "bin/baton.js"))) return "npx baton";
    if (dirname(at) === at) break;
  }
  // npx sets this, and a command that is installed for all does not.
  return variables["npm_command"] === "exec" ? "npx baton-agents" : "baton";
}
