import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { ConfigurationError, describeThrown } from "../vocabulary/errors.ts";
import type { ServedCrews } from "./served-crews.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 200;

/** Loads crews again when their files change. What is wrong with a change is noted, and the last valid crew is served on. */
export function watchCrews(crews: ServedCrews, note: (message: string) => void): () => void {
  const watchers: FSWatcher[] = [];
  const timers = new Map<string, NodeJS.Timeout>();
  for (const { name, path } of crews.list()) {
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    const onChange = () => {
      clearTimeout(timers.get(name));
      timers.set(
        name,
        setTimeout(() => reload(name, crews, note), SETTLE_MS),
      );
    };
    watchers.push(watch(folder, { recursive: true }, onChange));
  }
  return () => {
    for (const watcher of watchers) watcher.close();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

function reload(name: string, crews: ServedCrews, note: (message: string) => void): void {
  try {
    crews.reload(name);
    note(`crew '${name}' was loaded again`);
  } catch (error) {
    const found = error instanceof ConfigurationError ? error.diagnostics : [];
    const problems = found.filter(({ severity }) => severity === "error");
    const told = problems.map(({ file, line, message }) => `\n  ${file}:${line} ${message}`).join("");
    note(`crew '${name}' was not loaded again, and is served as before: ${describeThrown(error)}${told}`);
  }
}
