import { listTransitions, listTransitionsAfterGroup } from "../transitions.ts";
import { boundInput, countTokens } from "./agent-bounds.ts";
import { isSilentFace } from "./ask-work.ts";
import { boundsAt, type CrewAt, enterAt } from "./crew-at.ts";
import { buildLineGraph, type LineGraph } from "./line-graph.ts";
import { priceCall } from "./model-facts.ts";
import type { LikelyCase } from "./plan.ts";
import { nameSpot } from "./run-path.ts";
import type { Spot } from "./spot.ts";

/** What is assumed of a run where none is recorded. */
export interface Assumption {
  /** Tokens that a model writes in a reply. */
  readonly output: number;
  /** Turns of each session. */
  readonly turns: number;
  /** Which way through the crew: the shortest to an end, or the longest without a loop. */
  readonly path: "shortest" | "longest";
}

export const usualAssumption: Assumption = { output: 400, turns: 2, path: "shortest" };

/** What an input has where none is given. */
const USUAL_INPUT = 200;

interface Sum {
  modelCalls: number;
  toolCalls: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  /** What was said so far. */
  said: number;
}

/** A run without failures: every agent on its way takes the assumed turns, and every reply has the assumed length. */
export function assumeRun(
  at: CrewAt,
  graph: LineGraph,
  input: string | undefined,
  assumption: Assumption,
  fileTokens = 0,
): LikelyCase | null {
  const way = findWay(at, graph, assumption.path);
  if (way === undefined) return null;
  const said = (input === undefined ? USUAL_INPUT : countTokens(input)) + fileTokens;
  const sum: Sum = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, said };
  addWay(at, graph, way, assumption, sum);
  const { said: _, ...figures } = sum;
  const path = way.flatMap((node) => nameNode(at, graph, node));
  const handoffs = way.slice(1).filter((node, index) => {
    const edge = graph.nodes[way[index] ?? -1]?.ways.find(({ to }) => to === node);
    return edge?.handoffs === 1;
  }).length;
  const assumed = `output=${assumption.output},turns=${assumption.turns},path=${assumption.path}`;
  return { handoffs, rounds: path.length, ...figures, seconds: null, path, runs: 0, assumed };
}

function nameNode(at: CrewAt, { nodes }: LineGraph, node: number): string[] {
  const found = nodes[node];
  const spot = found?.spot;
  const isSilent = spot?.type === "agent" && isSilentFace(boundsAt(at, spot.agent));
  return found === undefined || isSilent ? [] : nameSpot(at, found);
}

/** Ways without loops, breadth first: the first that ends is the shortest, and the last the longest that is looked at. */
function findWay(at: CrewAt, { nodes, entries }: LineGraph, path: Assumption["path"]): number[] | undefined {
  const cameFrom = new Map<number, number | undefined>(entries.map((entry) => [entry, undefined]));
  const queue = [...entries];
  let found: number | undefined;
  for (const node of queue) {
    const spot = nodes[node]?.spot;
    if (spot !== undefined && canEnd(at, spot)) {
      found = node;
      if (path === "shortest") break;
    }
    for (const { to, isSilent, by } of nodes[node]?.ways ?? []) {
      if (cameFrom.has(to) || (isSilent && by === "failure")) continue;
      cameFrom.set(to, node);
      queue.push(to);
    }
  }
  if (found === undefined) return undefined;
  const way: number[] = [];
  for (let node: number | undefined = found; node !== undefined; node = cameFrom.get(node)) way.unshift(node);
  return way;
}

function canEnd({ crew }: CrewAt, spot: Spot): boolean {
  if (spot.type === "crews") return false;
  if (spot.type === "group")
    return listTransitionsAfterGroup(crew, spot.group ?? "", spot.emitter.agent).some(
      ({ stop }) => stop.type === "end",
    );
  const agent = crew.agents.get(spot.agent);
  if (agent === undefined) return false;
  const hasDeferred = spot.deferred.length > 0;
  return listTransitions(crew, agent, spot.standing).some(
    ({ stop }) => stop.type === "end" && !(hasDeferred && stop.stopReason === "answer"),
  );
}

function addWay(at: CrewAt, graph: LineGraph, way: readonly number[], assumption: Assumption, sum: Sum): void {
  const { classifier } = at.crew.settings;
  if (at.crew.entryPoint.type === "auto" && classifier !== undefined) addAgent(at, classifier, assumption, sum);
  for (const node of way) {
    const spot = graph.nodes[node]?.spot;
    if (spot !== undefined) addSpot(at, spot, assumption, sum);
  }
}

function addSpot(at: CrewAt, spot: Spot, assumption: Assumption, sum: Sum): void {
  if (spot.type === "agent") {
    const face = spot.face === undefined ? undefined : at.crew.agents.get(spot.face);
    addAgent(at, spot.agent, assumption, sum, face?.team?.members);
    return;
  }
  if (spot.type === "group") {
    const group = at.crew.groups.get(spot.group ?? "");
    for (const id of group?.agents ?? []) addAgent(at, id, assumption, sum);
    for (const name of group?.crews ?? []) addCrew(at, name, assumption, sum);
    return;
  }
  const move = at.crew.bindings.get(spot.emitter.agent)?.[spot.binding]?.move;
  if (move?.type === "sub_crew") for (const name of move.crews) addCrew(at, name, assumption, sum);
}

function addCrew(at: CrewAt, name: string, assumption: Assumption, sum: Sum): void {
  const entered = enterAt(at, name);
  if (entered === undefined) return;
  const graph = buildLineGraph(entered.crew);
  const way = findWay(entered, graph, assumption.path);
  const inner = { ...sum };
  addWay(entered, graph, way ?? graph.entries.slice(0, 1), assumption, inner);
  // Its caller hears only its answer.
  Object.assign(sum, inner, { said: sum.said + assumption.output });
}

/** An agent with its advisors, and with one cycle of the team that it supervises. */
function addAgent(at: CrewAt, id: string, assumption: Assumption, sum: Sum, team?: readonly string[]): void {
  const bounds = boundsAt(at, id);
  const { agent } = bounds;
  const own = agent.team?.supervisor === id ? agent.team.members : [];
  for (const other of [...agent.advisors, ...(team ?? own)]) addAgent(at, other, assumption, sum);
  if (agent.function !== undefined || isSilentFace(bounds)) return;
  const turns = bounds.hasTools ? Math.min(assumption.turns, bounds.turns) : 1;
  for (let turn = 0; turn < turns; turn++) {
    const input = boundInput(bounds, sum.said);
    const usd = priceCall(agent, bounds.models[0], input, assumption.output);
    sum.modelCalls++;
    sum.inputTokens += input;
    sum.outputTokens += assumption.output;
    sum.costUsd = sum.costUsd === null || usd === undefined ? null : sum.costUsd + usd;
    // What a tool gives is taken to be as long as a reply.
    sum.said += assumption.output * (turn < turns - 1 ? 2 : 1);
    if (turn < turns - 1) sum.toolCalls++;
  }
}
