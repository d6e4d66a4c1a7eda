import type { CrewAt } from "./crew-at.ts";
import { listJoint } from "./in-call.ts";
import type { LineNode } from "./line-graph.ts";
import type { Surveyed } from "./survey.ts";

/** The answers of the worst run in order: agents, groups and sub-crews by name, as a run's path has them. */
export function listPath({ at, graph, line }: Pick<Surveyed, "at" | "graph" | "line">): string[] {
  return line.steps.flatMap(({ node, edge }) => {
    const found = graph.nodes[node];
    return found === undefined || edge?.isSilent === true ? [] : nameSpot(at, found);
  });
}

export function nameSpot({ crew }: CrewAt, { spot }: LineNode): string[] {
  if (spot.type === "agent") return [spot.agent];
  const emitter = crew.agents.get(spot.emitter.agent);
  if (spot.type === "group") return [spot.group ?? (emitter === undefined ? [] : listJoint(emitter, crew)).join("+")];
  const move = crew.bindings.get(spot.emitter.agent)?.[spot.binding]?.move;
  return move?.type === "sub_crew" ? [...move.crews] : [];
}

/** What ends the worst run: a limit, or an answer after which nothing follows. */
export function describeEnd({ at, line, graph }: Surveyed): string {
  const { settings } = at.crew;
  if (line.endsBy === "max_handoffs")
    return settings.maxRunHandoffs < settings.maxHandoffs ? "max_run_handoffs" : "max_handoffs";
  if (line.endsBy !== undefined) return line.endsBy;
  const last = graph.nodes[line.steps.at(-1)?.node ?? -1]?.spot;
  const bindings = last?.type === "agent" ? (at.crew.bindings.get(last.agent) ?? []) : [];
  const ending = bindings.find(({ move }) => move.type === "terminate");
  return ending === undefined ? "answer" : `signal ${ending.signal}`;
}
