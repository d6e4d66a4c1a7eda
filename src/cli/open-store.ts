import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findMarkedFolder } from "../definition/find-crew.ts";
import { findPostgresAddress, locateNamed, locateStore, readVariable } from "../journal/locate-store.ts";
import { openExistingPostgresStore, openPostgresStore } from "../journal/open-postgres-store.ts";
import { openExistingSqliteStore, openSqliteStore } from "../journal/open-sqlite-store.ts";
import type { PostgresOptions } from "../journal/postgres-options.ts";
import type { Store } from "../journal/store.ts";
import { BatonError } from "../vocabulary/errors.ts";
import type { Terminal } from "./terminal.ts";

/** The project that a crew belongs to; where nothing marks one, the folder that the command is typed in. */
export function findRoot(path: string, { workingDirectory }: Terminal): string {
  const at = resolve(workingDirectory, path);
  return findMarkedFolder(existsSync(at) ? at : workingDirectory) ?? workingDirectory;
}

/** The store that is named, or else that of a project. */
export async function openStore(root: string, { variables, workingDirectory }: Terminal): Promise<Store> {
  const address = findPostgresAddress(readVariable(variables, "BATON_STORE"));
  if (address !== undefined) return openPostgresStore(address, readOptions(variables));
  return openSqliteStore(resolve(workingDirectory, locateStore(root, variables)));
}

/** The same for commands about runs that a store already has. Where there is none it is empty: looking creates nothing. */
export async function openExistingStore(root: string, terminal: Terminal): Promise<Store> {
  const { variables, workingDirectory } = terminal;
  const named = readVariable(variables, "BATON_STORE");
  const { openMemoryStore } = await import("../journal/memory-store.ts");
  const found =
    findPostgresAddress(named) === undefined
      ? await openExistingSqliteStore(resolve(workingDirectory, locateStore(root, variables)))
      : await findStore(named ?? "", terminal);
  return found ?? openMemoryStore();
}

/** The store of a name: a folder, an `.sqlite` file or an address; undefined if there is none. */
export async function findStore(name: string, { variables, workingDirectory }: Terminal): Promise<Store | undefined> {
  const address = findPostgresAddress(name);
  if (address === undefined) return openExistingSqliteStore(resolve(workingDirectory, locateNamed(name)));
  return openExistingPostgresStore(address, readOptions(variables));
}

function readOptions(variables: Terminal["variables"]): PostgresOptions {
  const schema = readVariable(variables, "BATON_SCHEMA");
  return schema === undefined ? {} : { schema };
}

/** What a command says that was given a store which is not there. */
export function explainNoStore(name: string): BatonError {
  const shown = findPostgresAddress(name) === undefined ? `'${name}'` : "the database";
  return new BatonError(
    "store-not-found",
    `there is no store in ${shown}; a run creates one: baton run <path> --store …`,
  );
}
