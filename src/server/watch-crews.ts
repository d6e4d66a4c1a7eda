import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { ConfigurationError, describeThrown } from "../vocabulary/errors.ts";
import type { ServedCrews } from "./served-crews.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 200;

/** Loads crews again when their files change. What is wrong with a change is noted, and the last valid crew is served on. */
export function watchCrews(crews: ServedCrews, note: (message: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const timers = new Map<string, NodeJS.Timeout>();
  const watchCrew = (name: string, folder: string) => {
    watchers.get(name)?.close();
    watchers.set(
      name,
      watch(folder, { recursive: true }, () => {
        clearTimeout(timers.get(name));
        timers.set(name, setTimeout(settle, SETTLE_MS, name, folder));
      }),
    );
  };
  const settle = (name: string, folder: string) => {
    // Many editors replace a file by another one, whose later changes nobody would notice otherwise.
    watchCrew(name, folder);
    reload(name, crews, note);
  };
  for (const { name, path } of crews.list()) watchCrew(name, statSync(path).isDirectory() ? path : dirname(path));
  return () => {
    for (const watcher of watchers.values()) watcher.close();
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
    const why = told === "" ? describeThrown(error) : `it has errors${told}`;
    note(`crew '${name}' was not loaded again, and is served as before: ${why}`);
  }
}
