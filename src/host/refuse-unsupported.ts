import type { Agent, Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";
import { allCrews } from "./all-crews.ts";

/** What crews may declare and this version cannot run. Better no run than one that leaves something out. */
export function refuseUnsupported(crew: Crew): void {
  const missing = allCrews(crew).flatMap(([, each]) => missingOfCrew(each));
  if (missing.length === 0) return;
  throw new BatonError("not-supported", `this crew uses what cannot be run yet: ${[...new Set(missing)].join(", ")}`);
}

function missingOfCrew(crew: Crew): string[] {
  return [
    ...(crew.entryPoint.type === "auto" ? ["entry_point: auto"] : []),
    ...(crew.settings.classifier === undefined ? [] : ["classifier"]),
    ...(crew.settings.learning.hints || crew.settings.learning.auto ? ["learning"] : []),
    ...[...crew.agents.values()].flatMap(missingOf),
  ];
}

function missingOf(agent: Agent): string[] {
  return agent.collaborations.length === 0 ? [] : ["collaborations"];
}
