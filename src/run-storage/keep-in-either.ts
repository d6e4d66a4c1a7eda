import type { RunId } from "../vocabulary/ids.ts";
import type { RunKeeper } from "./keep-runs.ts";

/** Runs begin in the first; those that are found in the second are taken up there. */
export function keepInEither(first: RunKeeper, second: RunKeeper): RunKeeper {
  const ownerOf = async (runId: RunId) => ((await second.read(runId)).length > 0 ? second : first);
  return {
    begin: (runId) => first.begin(runId),
    takeUp: async (runId) => (await ownerOf(runId)).takeUp(runId),
    read: async (runId) => (await ownerOf(runId)).read(runId),
  };
}
