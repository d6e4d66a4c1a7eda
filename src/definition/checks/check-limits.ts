import type { CrewParts } from "../crew-parts.ts";
import { entryOf } from "../fields.ts";

/** Strict mode wants the limits that matter written out. */
export function checkLimits({ crewFile, placeOfKey }: CrewParts): void {
  if (!crewFile.reporter.strict || crewFile.isImplied) return;
  const { routing, sub_crews: subCrews } = crewFile.keys;
  const needed = [
    "max_handoffs",
    "max_rounds",
    "timeout_seconds",
    ...((routing?.parallel_groups.size ?? 0) > 0 ? ["parallel_timeout_seconds"] : []),
    ...(subCrews.size > 0 ? ["sub_crew_timeout_seconds", "max_crew_depth"] : []),
  ];
  const settings = entryOf(crewFile.root, "settings")?.value;
  for (const key of needed) {
    const value = entryOf(settings, key)?.value;
    if (value !== undefined && !(value.kind === "scalar" && value.value === null)) continue;
    const message = `strict mode needs 'settings.${key}' to be given`;
    crewFile.reporter.report("missing-limit", placeOfKey(["settings"]), message);
  }
}
