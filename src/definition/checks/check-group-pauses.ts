import { exploreFlow } from "../../flow/explore-flow.ts";
import { callPauses, findLinePauses, findPausesInCrew, type Pause } from "../../flow/find-pauses.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import type { CrewParts } from "../crew-parts.ts";

/**
 * Pauses inside parallel groups, as far as files show them. Signals and behaviours of a member do not act there, so that a pause
 * somebody relies on does not happen; what does pause holds up the whole run.
 */
export function checkGroupPauses(crew: Crew, parts: CrewParts): void {
  const { approvals } = parts;
  for (const [name, group] of crew.groups) {
    const report = (list: "agents" | "crews", member: string, message: string) => {
      const index = parts.crewFile.keys.routing?.parallel_groups.get(name)?.[list].indexOf(member) ?? 0;
      const path = group.forEach === undefined ? [list, index] : ["for_each"];
      const place = parts.placeOf(["routing", "parallel_groups", name, ...path]);
      parts.crewFile.reporter.report("pause-in-group", place, message);
    };
    for (const member of group.agents) {
      const agent = crew.agents.get(member);
      if (agent === undefined) continue;
      for (const { why } of findLinePauses(agent, crew)) {
        const message = `agent '${member}' does not pause as a member of group '${name}': ${why} has no effect there. Let it speak before or after the group`;
        report("agents", member, message);
      }
      for (const pause of pausesInCall(member, crew, approvals)) report("agents", member, heldUp(name, pause));
    }
    for (const member of group.crews) {
      const below = crew.subCrews.get(member)?.crew;
      const [first] = below === undefined ? [] : findPausesInCrew(below, approvals);
      if (first !== undefined) report("crews", member, heldUp(name, first, `crew '${member}', `));
    }
  }
}

function heldUp(group: string, { agent, why }: Pause, where = ""): string {
  return `a pause inside group '${group}' holds up the whole run, once its other members have finished: ${where}'${agent}' can pause by ${why}`;
}

/** What can pause a member, or whoever works for it. */
function pausesInCall(member: string, crew: Crew, approvals: ReadonlySet<string>): Pause[] {
  const start = { type: "agent", agent: member, standing: "called" } as const;
  const called = [...exploreFlow(crew, [start]).values()].flatMap(({ stop }) =>
    stop.type === "agent" ? stop.agent : [],
  );
  return [...new Set(called)].flatMap((id) => {
    const agent = crew.agents.get(id);
    return agent === undefined ? [] : callPauses(agent, approvals);
  });
}
