import { examineFlow } from "../../flow/examine-flow.ts";
import { findUnusedCrews, findUnusedGroups } from "../../flow/find-unused.ts";
import type { Crew } from "../../vocabulary/crew.ts";
import { placeOfAgent } from "../agent-file.ts";
import type { CrewParts } from "../crew-parts.ts";
import type { Place } from "../source.ts";

/** Who can follow whom: agents nobody reaches, agents and groups that lead nowhere, circles without a way out. */
export function checkFlow(crew: Crew, parts: CrewParts): void {
  const { reporter } = parts.crewFile;
  const findings = examineFlow(crew);
  for (const agent of findings.unreachable) {
    const message = `agent '${agent}' can never be reached from the entry point`;
    reporter.report("unreachable-agent", placeOfListed(agent, parts), message);
  }
  for (const agent of findings.deadEnds) {
    const message = `agent '${agent}' can neither end the run nor pass the work on`;
    reporter.report("dead-end", placeOfListed(agent, parts), message);
  }
  for (const group of findings.openGroups) {
    const message = `group '${group}' has no 'next_agent', and no agent follows its emitter`;
    reporter.report("dead-end", parts.placeOfKey(["routing", "parallel_groups", group]), message);
  }
  for (const group of findUnusedGroups(crew)) {
    const message = `nothing leads to group '${group}': name it as the target of a signal or under 'defaults'`;
    reporter.report("unused-group", parts.placeOfKey(["routing", "parallel_groups", group]), message);
  }
  for (const name of findUnusedCrews(crew)) {
    const message = `nothing calls sub-crew '${name}': name it in a binding's 'target_crew', a group's 'crews' or an agent's 'delegate'`;
    reporter.report("unused-crew", parts.placeOfKey(["sub_crews", name]), message);
  }
  if (!isNextWritten(parts)) reportImplicitNext(findings.fallingThrough, parts);
  for (const circle of findings.endless) {
    const message = `the work goes round and only a limit ends it: ${circle.join(" -> ")}`;
    reporter.report("endless-cycle", placeOfListed(circle[0] ?? "", parts), message);
  }
}

function reportImplicitNext(fallingThrough: ReadonlyMap<string, string>, { crewFile, placeOfKey }: CrewParts): void {
  for (const [agent, next] of fallingThrough) {
    const message = `if agent '${agent}' gives no signal, '${next}' follows only because it is next in 'agents'; say who follows in 'routing.defaults' or 'settings.on_no_signal'`;
    crewFile.reporter.report("implicit-next", placeOfKey(["routing", "signals", agent]), message);
  }
}

/** Whether the file says what follows an answer without a signal. */
function isNextWritten({ crewFile }: CrewParts): boolean {
  return crewFile.isImplied || crewFile.keys.settings?.on_no_signal !== undefined;
}

function placeOfListed(agent: string, { crewFile, directory, placeOf }: CrewParts): Place {
  const position = crewFile.isImplied ? -1 : (crewFile.keys.agents ?? []).indexOf(agent);
  const file = directory.files.get(agent);
  return position === -1 && file !== undefined ? placeOfAgent(file) : placeOf(["agents", position]);
}
