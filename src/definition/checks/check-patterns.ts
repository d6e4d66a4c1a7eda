import { findCycles } from "../../flow/find-cycles.ts";
import type { AgentFile } from "../agent-file.ts";
import { findHandoff, listDestinations, type Reference } from "../collect-references.ts";
import type { CrewParts } from "../crew-parts.ts";
import { type Path, placeOfKey } from "../locate.ts";

/** The patterns that agents declare: what they need, what excludes each other, and circles among them. */
export function checkPatterns(parts: CrewParts): void {
  for (const agent of parts.directory.files.values()) {
    checkRouterAndTeam(agent, parts);
    checkMembers(agent, parts);
    checkSupervisor(agent, parts);
    checkSelf(agent, parts);
  }
  checkCircles(parts);
}

function checkRouterAndTeam(agent: AgentFile, { crewFile }: CrewParts): void {
  const { router, team } = agent.keys;
  const report = (path: Path, message: string) =>
    crewFile.reporter.report("bad-pattern", placeOfKey(agent, path), message);
  if (router !== undefined && listDestinations(agent.keys).length === 0)
    report(["router"], "'router' needs 'destinations': the agents it may choose from");
  if (team !== undefined && team.supervisor === undefined)
    report(["team"], "'team' needs a 'supervisor': the agent that decides");
  if (team?.members.length === 0) report(["team"], "'team' needs 'members': the agents that work together");
  if (team !== undefined && router !== undefined) report(["router"], "an agent cannot have both 'team' and 'router'");
}

/** A member's chain ends the member's turn, so it must not run through another member. */
function checkMembers(agent: AgentFile, parts: CrewParts): void {
  const { directory, crewFile, resolve } = parts;
  const members = (agent.keys.team?.members ?? []).flatMap((name) => resolve(agent, "members", name) ?? []);
  for (const member of members) {
    const file = directory.files.get(member);
    const handoff = file === undefined ? undefined : findHandoff(file);
    const target = file === undefined || handoff === undefined ? undefined : resolve(file, "handoff", handoff.name);
    if (file === undefined || handoff === undefined || target === undefined || !members.includes(target)) continue;
    const message = `'${target}' is a member of the team of '${agent.id}' and cannot be the handoff target of another member`;
    crewFile.reporter.report("bad-pattern", handoff.place, message);
  }
}

/** Who supervises a team has no other part in it, and no second team at the same time. */
function checkSupervisor(agent: AgentFile, parts: CrewParts): void {
  const { directory, crewFile, resolve } = parts;
  const { team } = agent.keys;
  const supervisor = team?.supervisor === undefined ? undefined : resolve(agent, "supervisor", team.supervisor);
  if (team === undefined || supervisor === undefined || supervisor === agent.id) return;
  const report = (path: Path, message: string) =>
    crewFile.reporter.report("bad-pattern", placeOfKey(agent, path), message);
  const index = team.members.findIndex((name) => resolve(agent, "members", name) === supervisor);
  if (index >= 0)
    report(["team", "members", index], `'${supervisor}' supervises the team and cannot be its member too`);
  const other = directory.files.get(supervisor);
  const own = other?.keys.team?.supervisor;
  if (other !== undefined && own !== undefined && resolve(other, "supervisor", own) === supervisor)
    report(
      ["team", "supervisor"],
      `'${supervisor}' supervises the team that it declares itself and cannot supervise that of '${agent.id}' too`,
    );
}

function checkSelf(agent: AgentFile, { crewFile, resolve }: CrewParts): void {
  for (const { kind, name, place } of agent.references) {
    if (kind !== "collaborations" || resolve(agent, kind, name) !== agent.id) continue;
    crewFile.reporter.report("no-effect", place, `agent '${agent.id}' cannot transfer work to itself`);
  }
}

/** References that recurse would never end. A supervisor that declares its own team is no circle. */
function checkCircles({ directory, crewFile, resolve }: CrewParts): void {
  const recursive: ReadonlySet<Reference["kind"]> = new Set([
    "handoff",
    "router",
    "advisors",
    "guards",
    "members",
    "supervisor",
    "agents",
  ]);
  const edges = new Map(
    [...directory.files].map(([id, file]) => [
      id,
      file.references
        .filter(({ kind }) => recursive.has(kind))
        .flatMap((reference) => ({ to: resolve(file, reference.kind, reference.name), reference }))
        .filter(({ to, reference }) => !(reference.kind === "supervisor" && to === id)),
    ]),
  );
  const names = new Map([...edges].map(([id, targets]) => [id, targets.flatMap(({ to }) => to ?? [])]));
  for (const cycle of findCycles(names)) {
    const closing = cycle.at(-2) ?? "";
    const file = directory.files.get(closing);
    const reference = edges.get(closing)?.find(({ to }) => to === cycle.at(-1))?.reference;
    if (file === undefined || reference === undefined) continue;
    const message = `agents refer to each other in a circle: ${cycle.join(" -> ")}`;
    crewFile.reporter.report("reference-cycle", reference.place, message);
  }
}
