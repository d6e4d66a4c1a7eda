import { join } from "node:path";

/** The file of the store: in the folder that `BATON_HOME` names, or in `.baton` in the project. */
export function locateStore(projectRoot: string, variables: Readonly<Record<string, string | undefined>>): string {
  const home = variables["BATON_HOME"];
  // An empty variable counts as not set.
  return join(home === undefined || home === "" ? join(projectRoot, ".baton") : home, "journal.sqlite");
}
