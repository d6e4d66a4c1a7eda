import { simplifyName } from "../../vocabulary/wording.ts";
import { type AgentFile, placeOfAgent } from "../agent-file.ts";
import { isPathReference, type Reference } from "../collect-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { otherKindHint } from "./check-routing.ts";

/** Agents that other agents' files name: they must be part of the crew, and described where a model has to choose. */
export function checkReferences(parts: CrewParts): void {
  const { directory, world } = parts;
  for (const agent of directory.files.values()) {
    checkTwice(agent, parts);
    for (const reference of agent.references) {
      const id = parts.resolve(agent, reference.kind, reference.name);
      if (id !== undefined) checkDescription(agent, reference, id, parts);
      // A path that leads nowhere is reported where it is followed.
      else if (!isPathReference(reference.name) && !world.agents.has(reference.name))
        reportUnknown(agent, reference, parts);
    }
  }
  reportUnlisted(parts);
}

const offered: ReadonlySet<Reference["kind"]> = new Set(["agents", "router", "collaborations"]);

/** A second mention of one agent in one list does nothing, so it is a slip; collaborations may stand in keys and body. */
function checkTwice(agent: AgentFile, parts: CrewParts): void {
  const seen = new Set<string>();
  for (const { kind, name, place } of agent.references) {
    const key = `${kind} ${parts.resolve(agent, kind, name) ?? name}`;
    if (seen.has(key) && kind !== "collaborations" && kind !== "guards")
      parts.crewFile.reporter.report("duplicate-id", place, `'${name}' is in '${kind}' twice`);
    seen.add(key);
  }
}

function checkDescription(agent: AgentFile, reference: Reference, id: string, parts: CrewParts): void {
  const description = parts.directory.files.get(id)?.keys.description?.trim() ?? "";
  if (!offered.has(reference.kind) || description !== "" || reference.specialty !== undefined) return;
  const message = `agent '${id}' needs a 'description': agent '${agent.id}' offers it to its model`;
  const isWarning = reference.kind === "collaborations" && isOnlyReached(agent, parts);
  parts.crewFile.reporter.report("missing-description", reference.place, message, { isWarning });
}

/** Whether an agent is in the crew only because others lead to it: nobody asked for what it may do further. */
function isOnlyReached({ id }: AgentFile, { crewFile }: CrewParts): boolean {
  return crewFile.isImplied && !(crewFile.keys.agents ?? []).includes(id);
}

function reportUnknown(agent: AgentFile, { kind, name, place }: Reference, parts: CrewParts): void {
  const { crewFile } = parts;
  const { reporter } = crewFile;
  const others = [...parts.directory.files.keys()].filter((id) => id !== agent.id);
  others.push(...parts.directory.nearby(agent));
  if (kind === "collaborations") {
    const fitting = parts.collaborators(name);
    const isVague = fitting.length > 1;
    const why = isVague ? `'${name}' fits several agents: ${fitting.join(", ")}` : `unknown collaborator '${name}'`;
    const isReached = isOnlyReached(agent, parts);
    const near = {
      name: simplifyName(name),
      among: isVague ? [] : others,
      compare: simplifyName,
      isWarning: isReached,
    };
    const left = isReached ? ": that transfer is not offered" : "";
    reporter.report("unknown-collaborator", place, `${why}${parts.unlistedHint(name)}${left}`, near);
    return;
  }
  const hint = otherKindHint(name, parts) || parts.unlistedHint(name);
  const near = hint === "" ? { name, among: others } : undefined;
  reporter.report("unknown-agent", place, `unknown agent '${name}' in '${kind}'${hint}`, near);
}

/** Files that nobody lists. Where one is named by mistake, that mistake is reported instead. */
function reportUnlisted({ crewFile, directory }: CrewParts): void {
  if (crewFile.keys.agents?.length === 0) return;
  const named = namesIn(crewFile.keys);
  for (const agent of directory.files.values()) for (const { name } of agent.references) named.add(name);
  for (const agent of directory.unlisted.values()) {
    if (named.has(agent.id)) continue;
    const message = `agent '${agent.id}' is not listed in the crew's 'agents' and no other agent refers to its file`;
    crewFile.reporter.report("unlisted-agent", placeOfAgent(agent), message);
  }
}

/** The agents that crew.yaml itself names. */
function namesIn({ entry_point: entryPoint, routing }: CrewParts["crewFile"]["keys"]): Set<string> {
  const groups = [...(routing?.parallel_groups.values() ?? [])];
  const bindings = [...(routing?.signals.values() ?? [])].flat();
  return new Set(
    [
      entryPoint,
      ...(routing?.defaults.values() ?? []),
      ...groups.flatMap(({ agents, for_each, next_agent }) => [...agents, for_each, next_agent]),
      ...bindings.flatMap(({ target, targets, return_to }) => [target, return_to, ...(targets ?? [])]),
    ].filter((name) => name !== undefined),
  );
}
