import { resolve } from "node:path";
import { checkCrew, type LoadCrewOptions } from "../definition/check-crew.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import type { CrewEnvironment } from "./crew-versions.ts";
import { refuseErrors } from "./refuse-errors.ts";

/** Reads and checks the crew at `path`; throws a ConfigurationError with every problem if one of them is an error. */
export async function loadCrew(
  path: string,
  options: Omit<LoadCrewOptions, "tools"> & CrewEnvironment = {},
): Promise<CrewHandle> {
  const { clock, tools, models, teams, variables, store, approveServer, onWait, captureContent, ...loading } = options;
  const names = tools?.map(({ name }) => name) ?? [];
  const loaded = checkCrew(path, { ...loading, tools: names });
  return openCrew(refuseErrors(path, loaded), loaded.diagnostics, {
    root: loaded.root,
    ...(clock !== undefined && { clock }),
    ...(tools !== undefined && { tools }),
    ...(models !== undefined && { models }),
    ...(teams !== undefined && { teams }),
    ...(approveServer !== undefined && { approveServer }),
    ...(onWait !== undefined && { onWait }),
    ...(captureContent !== undefined && { captureContent }),
    ...(variables !== undefined && { variables }),
    ...(store !== undefined && { store, source: resolve(loading.workingDirectory ?? process.cwd(), path) }),
  });
}
