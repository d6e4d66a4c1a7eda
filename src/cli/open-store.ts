import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findMarkedFolder } from "../definition/find-crew.ts";
import { locateStore } from "../journal/locate-store.ts";
import type { Store } from "../journal/store.ts";
import type { Terminal } from "./terminal.ts";

/** The project that a crew belongs to; where nothing marks one, the folder that the command is typed in. */
export function findRoot(path: string, { workingDirectory }: Terminal): string {
  const at = resolve(workingDirectory, path);
  return findMarkedFolder(existsSync(at) ? at : workingDirectory) ?? workingDirectory;
}

/** The store of a project. SQLite is loaded by commands that need it only. */
export async function openStore(root: string, { variables }: Terminal): Promise<Store> {
  const { openSqliteStore } = await import("../journal/sqlite-store.ts");
  return openSqliteStore(locateStore(root, variables));
}

/** The store of a project for commands about runs that it already has. Where there is none it is empty: looking creates nothing. */
export async function openExistingStore(root: string, { variables }: Terminal): Promise<Store> {
  const [sqlite, memory] = await Promise.all([
    import("../journal/sqlite-store.ts"),
    import("../journal/memory-store.ts"),
  ]);
  return (await sqlite.openExistingStore(locateStore(root, variables))) ?? memory.openMemoryStore();
}
