import { findPrice } from "../../session/find-price.ts";
import type { Agent, Neighbour } from "../../vocabulary/crew.ts";
import type { CrewRun } from "../crew-run.ts";
import { byProspects } from "../learned.ts";
import { type Facts, holds } from "./condition.ts";

/** Those whose condition holds, in the order in which a model is told of them. */
export function openNeighbours(
  neighbours: readonly Neighbour[],
  facts: Facts,
  crewRun: CrewRun,
  from: string,
): Neighbour[] {
  const { signalScope } = crewRun.crew.settings;
  return inOrder(neighbours, crewRun, from).filter(({ when }) => holds(when, facts, signalScope));
}

/** The higher priority first; among equals the cheaper agent, where one of them asks for that, and one of unknown price last. */
export function inOrder(neighbours: readonly Neighbour[], crewRun: CrewRun, from: string): Neighbour[] {
  const prospects = byProspects(crewRun, from);
  const prices = new Map(neighbours.map((each) => [each, isCompared(each, neighbours) ? priceFor(each, crewRun) : 0]));
  return neighbours.toSorted(
    (a, b) => readPriority(b) - readPriority(a) || compare(prices.get(a), prices.get(b)) || prospects(a.agent, b.agent),
  );
}

/** Whether an agent's price decides over its place: it has equals, and one of them or itself prefers the cheaper. */
export function isCompared(neighbour: Neighbour, among: readonly Neighbour[]): boolean {
  const equals = among.filter((each) => readPriority(each) === readPriority(neighbour));
  return equals.length > 1 && equals.some(({ cost }) => cost === "prefer_cheaper");
}

function readPriority({ priority }: Neighbour): number {
  return priority ?? 0;
}

function compare(a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY): number {
  return a === b ? 0 : a - b;
}

const typicalCall = { input: 3000, output: 1000, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 4000 };

/** What a typical call of an agent costs with the first of its models; undefined where that is not known. */
export function priceFor({ agent: id }: Pick<Neighbour, "agent">, { crew, world }: CrewRun): number | undefined {
  const agent: Agent | undefined = crew.agents.get(id);
  const model = agent && world.models(agent)[0];
  return agent && model && findPrice(typicalCall, model, agent)?.usd;
}
