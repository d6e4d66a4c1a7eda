import { settingsKeys } from "../build-settings.ts";
import type { CrewParts } from "../crew-parts.ts";
import type { Place } from "../source.ts";

/** The agents that crew.yaml itself names: signals, behaviours, defaults, groups, helpers. */
export function checkRouting(parts: CrewParts): void {
  const { crewFile, world, placeOf, placeOfKey } = parts;
  const routing = crewFile.keys.routing;
  for (const section of ["signals", "agent_behaviors", "defaults"] as const) {
    for (const agent of routing?.[section].keys() ?? []) {
      checkAgent(agent, `routing.${section}`, placeOfKey(["routing", section, agent]), parts);
    }
  }
  for (const [agent, target] of routing?.defaults ?? []) {
    if (!world.groups.has(target))
      checkAgent(target, "routing.defaults", placeOf(["routing", "defaults", agent]), parts);
  }
  for (const helper of ["summarizer", "classifier"] as const) {
    const agent = settingsKeys(crewFile)[helper];
    if (agent !== undefined) checkAgent(agent, `settings.${helper}`, placeOf(["settings", helper]), parts);
  }
  for (const group of routing?.parallel_groups.keys() ?? []) checkGroup(group, parts);
}

function checkGroup(name: string, parts: CrewParts): void {
  const { crewFile, world, placeOf, placeOfKey } = parts;
  const group = crewFile.keys.routing?.parallel_groups.get(name);
  const path = ["routing", "parallel_groups", name];
  if (group === undefined) return;
  const members = group.agents.length + group.crews.length;
  if (world.agents.has(name)) {
    crewFile.reporter.report("duplicate-id", placeOfKey(path), `'${name}' is the name of an agent and of a group`);
  }
  if (members === 0) {
    crewFile.reporter.report(
      "empty-group",
      placeOfKey(path),
      `group '${name}' has no members: give it 'agents' or 'crews'`,
    );
  } else if (group.min_success !== undefined && group.min_success > members) {
    const message = `'min_success' is ${group.min_success}, but group '${name}' has ${members} members`;
    crewFile.reporter.report("wrong-type", placeOf([...path, "min_success"]), message);
  }
  for (const [index, agent] of group.agents.entries())
    checkAgent(agent, `group '${name}'`, placeOf([...path, "agents", index]), parts);
  if (group.next_agent !== undefined)
    checkAgent(group.next_agent, "next_agent", placeOf([...path, "next_agent"]), parts);
}

/** Says that `name` is no agent of the crew. */
export function checkAgent(
  name: string,
  where: string,
  place: Place,
  { crewFile, world, unlistedHint }: CrewParts,
): void {
  if (world.agents.has(name)) return;
  const hint = unlistedHint(name);
  const near = hint === "" ? { name, among: world.agents } : undefined;
  crewFile.reporter.report("unknown-agent", place, `unknown agent '${name}' in ${where}${hint}`, near);
}
