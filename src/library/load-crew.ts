import { resolve } from "node:path";
import { checkCrew, type LoadCrewOptions } from "../definition/check-crew.ts";
import { checkEnvironment } from "../runtime/check-options.ts";
import type { CrewEnvironment } from "../runtime/environment.ts";
import { BatonError } from "../vocabulary/errors.ts";
import { type CrewHandle, openCrew } from "./crew-handle.ts";
import { refuseErrors } from "./refuse-errors.ts";

const loadingKeys: Readonly<
  Record<keyof Omit<LoadCrewOptions, "tools" | "approvals" | "environment" | "givenFunctions">, true>
> = {
  root: true,
  strict: true,
  signals: true,
  entryPoint: true,
  workingDirectory: true,
};

/** The options of loading may be any; those of the crew's runs are looked at before anything is read. */
function checkLoading(
  options: Omit<LoadCrewOptions, "tools" | "approvals" | "environment" | "givenFunctions"> & CrewEnvironment,
): void {
  const isObject = typeof options === "object" && options !== null;
  const ofRuns = isObject ? Object.entries(options).filter(([key]) => !Object.hasOwn(loadingKeys, key)) : undefined;
  checkEnvironment(ofRuns === undefined ? options : Object.fromEntries(ofRuns));
}

/** Reads and checks the crew at `path`; throws a ConfigurationError with every problem if one of them is an error. */
export async function loadCrew(
  path: string,
  options: Omit<LoadCrewOptions, "tools" | "approvals" | "environment" | "givenFunctions"> & CrewEnvironment = {},
): Promise<CrewHandle> {
  if (typeof path !== "string")
    throw new BatonError(
      "bad-option",
      `loadCrew takes the path of a crew as text, such as "./desk"; got ${typeof path}`,
    );
  checkLoading(options);
  const { clock, tools, models, teams, variables, store, approveServer, onWait, captureContent, ...loading } = options;
  const names = tools?.map(({ name }) => name) ?? [];
  const approvals = (tools ?? []).flatMap(({ name, needsApproval }) => (needsApproval ? [name] : []));
  const loaded = checkCrew(path, {
    ...loading,
    tools: names,
    approvals,
    environment: models?.variables ?? process.env,
  });
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
