import { join } from "node:path";
import { BatonError } from "../vocabulary/errors.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The file of the store: `BATON_STORE` if it names a folder or an `.sqlite` file, or else in the folder that `BATON_HOME` names, or
 * in `.baton` in the project.
 */
export function locateStore(projectRoot: string, variables: Variables): string {
  const named = readVariable(variables, "BATON_STORE");
  if (named !== undefined && !isAddress(named)) return locateNamed(named);
  return join(readVariable(variables, "BATON_HOME") ?? join(projectRoot, ".baton"), "journal.sqlite");
}

/** The file that a name means: an `.sqlite` file, or the journal in a folder. */
export function locateNamed(name: string): string {
  return name.endsWith(".sqlite") ? name : join(name, "journal.sqlite");
}

/** The address of a PostgreSQL database; undefined if the name is that of a folder or file. */
export function findPostgresAddress(name: string | undefined): string | undefined {
  if (name === undefined || !isAddress(name)) return undefined;
  if (/^postgres(ql)?:\/\//.test(name)) return name;
  // The address may have a password, so the message has none of it but the scheme.
  throw new BatonError(
    "bad-option",
    `a store is a folder, an .sqlite file or a database at postgres://…; got ${name.slice(0, name.indexOf(":"))}://…`,
  );
}

/** An empty variable counts as not set. */
export function readVariable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === "" ? undefined : value;
}

function isAddress(name: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(name);
}
