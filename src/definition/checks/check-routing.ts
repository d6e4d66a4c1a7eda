import { formatAmount } from "../../vocabulary/wording.ts";
import { settingsKeys } from "../build-settings.ts";
import type { CrewParts } from "../crew-parts.ts";
import { findEntry } from "../fields.ts";
import { isGate } from "../gates.ts";
import type { Path } from "../locate.ts";
import type { Place } from "../source.ts";
import { isWritten } from "../yaml-node.ts";

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
    if (target !== "" && !world.groups.has(target))
      checkAgent(target, "routing.defaults", placeOf(["routing", "defaults", agent]), parts);
  }
  for (const helper of ["summarizer", "classifier"] as const) {
    const agent = settingsKeys(crewFile)[helper];
    if (agent !== undefined) checkAgent(agent, `settings.${helper}`, placeOf(["settings", helper]), parts);
  }
  for (const group of routing?.parallel_groups.keys() ?? []) checkGroup(group, parts);
  checkGates(parts);
}

/** Says once that nothing is held: whoever wrote the key may count on it. */
function checkGates({ crewFile, placeOfKey }: CrewParts): void {
  const behaviors = [...(crewFile.keys.routing?.agent_behaviors ?? [])];
  const idle = behaviors.filter(([, keys]) => !keys.auto_route && !isGate(keys, crewFile)).map(([agent]) => agent);
  const [first] = idle;
  if (first === undefined) return;
  const agents = idle.map((agent) => `'${agent}'`).join(", ");
  const message = `'auto_route: false' has no effect in a file of version 1.0 (${agents}): a human approves moves only from version "2.0" on`;
  crewFile.reporter.report("no-effect", placeOfKey(["routing", "agent_behaviors", first, "auto_route"]), message);
}

function checkGroup(name: string, parts: CrewParts): void {
  const { crewFile, world, placeOf, placeOfKey } = parts;
  const group = crewFile.keys.routing?.parallel_groups.get(name);
  const path = ["routing", "parallel_groups", name];
  if (group === undefined) return;
  if (world.agents.has(name)) {
    crewFile.reporter.report("duplicate-id", placeOfKey(path), `'${name}' is the name of an agent and of a group`);
  }
  const members = group.agents.length + group.crews.length;
  // What a group for each item has in the place of members is checked elsewhere.
  if (members === 0 && group.for_each === undefined && !areMembersWritten(name, crewFile)) {
    crewFile.reporter.report(
      "empty-group",
      placeOfKey(path),
      `group '${name}' has no members: give it 'agents', 'crews' or 'for_each'`,
    );
  } else if (group.for_each === undefined && group.min_success !== undefined && group.min_success > members) {
    const message = `'min_success' is ${group.min_success}, but group '${name}' has ${formatAmount(members, "member")}`;
    crewFile.reporter.report("wrong-type", placeOf([...path, "min_success"]), message);
  }
  checkNoDoubles(group.agents, [...path, "agents"], parts);
  checkNoDoubles(group.crews, [...path, "crews"], parts);
  for (const [index, agent] of group.agents.entries())
    checkAgent(agent, `group '${name}'`, placeOf([...path, "agents", index]), parts);
  if (group.next_agent !== undefined)
    checkAgent(group.next_agent, "next_agent", placeOf([...path, "next_agent"]), parts);
}

function areMembersWritten(group: string, { root }: CrewParts["crewFile"]): boolean {
  const groups = findEntry(findEntry(root, "routing")?.value, "parallel_groups")?.value;
  const written = findEntry(groups, group)?.value;
  return ["agents", "crews"].some((key) => isWritten(findEntry(written, key)?.value));
}

/** A second mention of a name in a list does nothing, or does the same work twice under one name: it is a slip. */
export function checkNoDoubles(
  names: readonly string[],
  path: Path,
  { crewFile, placeOf }: Pick<CrewParts, "crewFile" | "placeOf">,
): void {
  for (const [index, name] of names.entries())
    if (names.indexOf(name) < index)
      crewFile.reporter.report("duplicate-id", placeOf([...path, index]), `'${name}' is in '${path.at(-1)}' twice`);
}

/** Says that `name` is no agent of the crew. */
export function checkAgent(name: string, where: string, place: Place, parts: CrewParts): void {
  const { crewFile, world } = parts;
  if (world.agents.has(name)) return;
  const hint = otherKindHint(name, parts) || parts.unlistedHint(name);
  const near = hint === "" ? { name, among: world.agents } : undefined;
  crewFile.reporter.report("unknown-agent", place, `unknown agent '${name}' in ${where}${hint}`, near);
}

/** Says that a name is a group's or a sub-crew's, where an agent is wanted. */
export function otherKindHint(name: string, { world, subCrews }: CrewParts): string {
  const kind = world.groups.has(name) ? "group" : subCrews.has(name) ? "sub-crew" : undefined;
  return kind === undefined ? "" : `; '${name}' is a ${kind}, and only an agent can stand here`;
}
