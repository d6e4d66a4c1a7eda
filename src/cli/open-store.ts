import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findProjectRoot } from "../definition/find-crew.ts";
import { placeOfStore } from "../journal/place-of-store.ts";
import type { Store } from "../run/store.ts";
import type { Terminal } from "./terminal.ts";

/** The project that a crew belongs to; where there is no such path, the one that the command is typed in. */
export function rootOf(path: string, { workingDirectory }: Terminal): string {
  const at = resolve(workingDirectory, path);
  return findProjectRoot(existsSync(at) ? at : workingDirectory, workingDirectory);
}

/** The store of a project. SQLite is loaded by commands that need it only. */
export async function openStore(root: string, { variables }: Terminal): Promise<Store> {
  const { openSqliteStore } = await import("../journal/sqlite-store.ts");
  return openSqliteStore(placeOfStore(root, variables));
}
