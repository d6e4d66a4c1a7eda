import { placeOfAgent } from "../agent-file.ts";
import { findEntryPoint } from "../build-crew.ts";
import { settingsKeys } from "../build-settings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";
import { otherKindHint } from "./check-routing.ts";

/** Who begins: an agent of the crew, or one that is chosen by what it says of itself. */
export function checkEntry(parts: CrewParts): void {
  const { crewFile, placeOfKey } = parts;
  checkEntryPoint(parts);
  if (findEntryPoint(parts).type === "auto") {
    checkDescribed(parts);
    return;
  }
  for (const key of ["classifier", "min_confidence"]) {
    if (findEntry(findEntry(crewFile.root, "settings")?.value, key) === undefined) continue;
    const message = `'${key}' has no effect where 'entry_point' is an agent; write entry_point: auto`;
    crewFile.reporter.report("no-effect", placeOfKey(["settings", key]), message);
  }
}

function checkEntryPoint(parts: CrewParts): void {
  const { crewFile, directory, world, entryPoint, placeOf } = parts;
  const given = entryPoint ?? crewFile.keys.entry_point;
  if (given === undefined || given === "auto" || world.agents.has(given) || crewFile.keys.agents?.length === 0) return;
  const hint = otherKindHint(given, parts) || parts.unlistedHint(given);
  const near = hint === "" ? { name: given, among: [...directory.listed, "auto"] } : undefined;
  crewFile.reporter.report(
    "unknown-entry-point",
    placeOf(["entry_point"]),
    `entry point '${given}' is not one of the crew's agents${hint}`,
    near,
  );
}

/** The first of the crew takes what fits nobody, and need not say anything. */
function checkDescribed({ crewFile, directory }: CrewParts): void {
  const { classifier } = settingsKeys(crewFile);
  const others = directory.listed.filter((id) => id !== classifier).slice(1);
  for (const id of others) {
    const file = directory.files.get(id);
    if (file === undefined) continue;
    const { description = "", role = "", domain = "", specialties } = file.keys;
    if (`${description}${role}${domain}${specialties.join("")}`.trim() !== "") continue;
    const message = `agent '${id}' is hardly ever chosen to begin: give it a 'description' or 'specialties'`;
    crewFile.reporter.report("undescribed-agent", placeOfAgent(file), message);
  }
}
