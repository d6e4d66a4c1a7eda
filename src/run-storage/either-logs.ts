import type { RunId } from "../vocabulary/ids.ts";
import type { RunLogs } from "./run-log.ts";

/** Runs begin in the first logs; those that are found in the second are taken up there. */
export function eitherLogs(first: RunLogs, second: RunLogs): RunLogs {
  const ownerOf = async (runId: RunId) => ((await second.read(runId)).length > 0 ? second : first);
  return {
    begin: (runId) => first.begin(runId),
    takeUp: async (runId) => (await ownerOf(runId)).takeUp(runId),
    read: async (runId) => (await ownerOf(runId)).read(runId),
  };
}
