import { join } from "node:path";

/** The file in which runs are kept: in the folder that `BATON_HOME` names, or in `.baton` in the project. */
export function locateStore(projectRoot: string, variables: Readonly<Record<string, string | undefined>>): string {
  const home = variables["BATON_HOME"];
  // A variable that is set to nothing is not set.
  return join(home === undefined || home === "" ? join(projectRoot, ".baton") : home, "journal.sqlite");
}
