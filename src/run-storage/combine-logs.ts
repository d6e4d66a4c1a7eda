import type { RunId } from "../vocabulary/ids.ts";
import type { RunLogs } from "./run-log.ts";

/** Combines two logs: new runs begin in the first, and runs that are found in the second continue there. */
export function combineLogs(first: RunLogs, second: RunLogs): RunLogs {
  const findOwner = async (runId: RunId) => ((await second.read(runId)).length > 0 ? second : first);
  return {
    begin: (runId) => first.begin(runId),
    takeUp: async (runId) => (await findOwner(runId)).takeUp(runId),
    read: async (runId) => (await findOwner(runId)).read(runId),
  };
}
