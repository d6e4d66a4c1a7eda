import type { Agent, Crew } from "../vocabulary/crew.ts";
import { exploreFlow } from "./explore-flow.ts";

/** A reason why an agent waits for a human. */
export interface Pause {
  readonly agent: string;
  readonly why: string;
}

/** What can pause an agent on its crew's line: its signals, its behaviour, its tools and quotas. */
function findAgentPauses(agent: Agent, crew: Crew, approvals: ReadonlySet<string>): Pause[] {
  return [...findLinePauses(agent, crew), ...callPauses(agent, approvals)];
}

/** What can pause an agent by its own signals and behaviour. These do not act inside a group. */
export function findLinePauses({ id: agent }: Agent, crew: Crew): Pause[] {
  const behavior = crew.behaviors.get(agent);
  const signals = (crew.bindings.get(agent) ?? []).filter(
    ({ move }) => move.type === "pause" || (move.type === "external" && move.pause),
  );
  return [
    ...signals.map(({ signal }) => ({ agent, why: `its signal ${signal}` })),
    ...(behavior?.waitForSignal === true ? [{ agent, why: "'wait_for_signal'" }] : []),
    ...(behavior?.autoRoute === false ? [{ agent, why: "'auto_route: false'" }] : []),
  ];
}

/** What can pause an agent wherever it works. */
export function callPauses({ id: agent, tools, quotas }: Agent, approvals: ReadonlySet<string>): Pause[] {
  const held = tools.filter((tool) => approvals.has(tool));
  return [
    ...held.map((tool) => ({ agent, why: `its tool ${tool}, which needs approval` })),
    ...(quotas.some(({ onExceed }) => onExceed === "pause") ? [{ agent, why: "a quota with 'on_exceed: pause'" }] : []),
  ];
}

/** Everything that can pause a run of a crew, including its sub-crews. Agents that only work for others do not act on signals. */
export function findPausesInCrew(crew: Crew, approvals: ReadonlySet<string>, seen = new Set<Crew>()): Pause[] {
  if (seen.has(crew)) return [];
  seen.add(crew);
  const reached = [...exploreFlow(crew).values()].flatMap(({ stop }) => (stop.type === "agent" ? [stop] : []));
  const onLine = new Set(reached.flatMap(({ agent, standing }) => (standing === "called" ? [] : [agent])));
  const own = [...new Set(reached.map(({ agent }) => agent))].flatMap((id) => {
    const agent = crew.agents.get(id);
    if (agent === undefined) return [];
    return onLine.has(id) ? findAgentPauses(agent, crew, approvals) : callPauses(agent, approvals);
  });
  const { onNoSignal, quotas } = crew.settings;
  const byCrew = [
    ...(onNoSignal === "pause" ? ["'on_no_signal: pause'"] : []),
    ...(quotas.some(({ onExceed }) => onExceed === "pause") ? ["a quota with 'on_exceed: pause'"] : []),
  ];
  const below = [...crew.subCrews.values()].flatMap((each) => findPausesInCrew(each.crew, approvals, seen));
  return [...own, ...byCrew.map((why) => ({ agent: crew.name, why })), ...below];
}
