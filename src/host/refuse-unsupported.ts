import type { Agent, Crew } from "../crew.ts";
import { BatonError } from "../errors.ts";

/** What crews may declare and this version cannot run. Better no run than one that leaves something out. */
export function refuseUnsupported(crew: Crew): void {
  const missing = [
    ...(crew.entryPoint.type === "auto" ? ["entry_point: auto"] : []),
    ...(crew.subCrews.size > 0 ? ["sub_crews"] : []),
    ...(crew.settings.summarizer === undefined ? [] : ["summarizer"]),
    ...(crew.settings.classifier === undefined ? [] : ["classifier"]),
    ...(crew.settings.learning.hints || crew.settings.learning.auto ? ["learning"] : []),
    ...[...crew.agents.values()].flatMap(missingOf),
  ];
  if (missing.length === 0) return;
  throw new BatonError("not-supported", `this crew uses what cannot be run yet: ${[...new Set(missing)].join(", ")}`);
}

function missingOf(agent: Agent): string[] {
  return [
    ...(agent.handoff === undefined ? [] : ["handoff"]),
    ...(agent.router === undefined ? [] : ["router"]),
    ...(agent.advisors.length === 0 ? [] : ["advisors"]),
    ...(agent.team === undefined ? [] : ["team"]),
    ...(agent.chat ? ["chat"] : []),
    ...(agent.promptStyle === "tagged" ? ["prompt_style: tagged"] : []),
    ...(agent.collaborations.length === 0 ? [] : ["collaborations"]),
    ...(agent.delegate.length === 0 ? [] : ["delegate"]),
    ...(agent.compose ? ["compose"] : []),
  ];
}
