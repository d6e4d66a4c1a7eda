import { summaryWork } from "./ask-work.ts";
import type { CrewAt } from "./crew-at.ts";
import { fillValues, type Table } from "./fill-values.ts";
import { finish, type LineEdge, type LineGraph } from "./line-graph.ts";
import { estimateSaid } from "./said.ts";
import { countRounds, type SpotRounds, spotWork } from "./spot-work.ts";
import { noWork, type Work } from "./work.ts";

/** The worst run of a crew in one figure: its value, and the way there. */
export interface LineWorst {
  readonly value: number;
  readonly steps: readonly Step[];
  /** Which limit ended it, if one did. */
  readonly endsBy: "max_handoffs" | "max_rounds" | undefined;
  /** Whether the crew was too large to look at every state: then the value is an upper bound that no run may reach. */
  readonly isRelaxed: boolean;
}

interface Step {
  readonly node: number;
  readonly work: Work;
  /** The edge that was taken after it, if one was. */
  readonly edge: LineEdge | undefined;
}

const MOST_CELLS = 6_000_000;
const MOST_STEPS = 60_000_000;

/** Works out the worst for every state from those that may follow it, so that no path is walked twice. */
export function findLineWorst(at: CrewAt, graph: LineGraph, input: number): LineWorst {
  const maxRounds = at.crew.settings.maxRounds;
  const rounds = graph.nodes.map(({ spot }) => countRounds(at, spot));
  const handoffs = limitHandoffs(at, graph);
  const isAnswered = graph.nodes.some(({ ways }) => ways.some((way) => way.isAnswered));
  const states = (handoffs + 1) * (maxRounds + 1);
  const isTooLarge = states * graph.nodes.length > MOST_CELLS || states * graph.edges.steps > MOST_STEPS;
  const open = (limit: number, used = graph) => fill(at, used, rounds, handoffs, limit, input);
  const isLimited = isAnswered || countMostRounds(at, graph, rounds, handoffs) > maxRounds;
  if (!isLimited) return walk(open(0));
  return isTooLarge ? relax(at, open(0, withoutAnswers(graph)), maxRounds) : walk(open(maxRounds));
}

/** No more handoffs than limits allow, and than a run can make before its rounds are used up. */
function limitHandoffs({ crew, survey }: CrewAt, { nodes, isCircular }: LineGraph): number {
  const { maxHandoffs, maxRounds } = crew.settings;
  const limit = Math.min(maxHandoffs, survey.maxRunHandoffs);
  const silent = nodes.filter(({ ways }) => ways.some((way) => way.isSilent)).length;
  return Math.min(limit, isCircular ? (maxRounds + 1) * (2 + silent) : nodes.length);
}

/** Rounds without any limit on them. */
function countMostRounds(at: CrewAt, graph: LineGraph, rounds: readonly SpotRounds[], handoffs: number): number {
  const table = { at, graph, rounds, works: [], passWork: noWork, handoffs, maxRounds: 0, values: new Float64Array(0) };
  const values = fillValues(table, { round: 1, handoff: 0 });
  return Math.max(0, ...graph.entries.map((entry) => values[handoffs * graph.nodes.length + entry] ?? 0));
}

function fill(
  at: CrewAt,
  graph: LineGraph,
  rounds: readonly SpotRounds[],
  handoffs: number,
  maxRounds: number,
  input: number,
): Table {
  const { measure } = at.survey;
  const saidAt = estimateSaid(at, graph, input);
  const constant = measure.readsContext ? undefined : graph.nodes.map(({ spot }) => spotWork(at, spot, 0));
  const works = Array.from(
    { length: handoffs + 1 },
    (_, left) => constant ?? graph.nodes.map(({ spot }) => spotWork(at, spot, saidAt(spot, handoffs - left))),
  );
  const most = saidAt(undefined, handoffs);
  const passWork = summaryWork(at, most, false, at.crew.settings.history ?? "none");
  const table = { at, graph, rounds, works, passWork, handoffs, maxRounds, values: new Float64Array(0) };
  return { ...table, values: fillValues(table, measure) };
}

/** The way that gives the value of the best entry. */
function walk(table: Table): LineWorst {
  const { graph, handoffs, maxRounds, works } = table;
  const steps: Step[] = [];
  let state: State | undefined = { left: handoffs, round: maxRounds, node: -1 };
  const entry = findLargest(graph.entries, (node) => valueAt(table, { left: handoffs, round: maxRounds, node }));
  if (entry === undefined) return { value: 0, steps, endsBy: undefined, isRelaxed: false };
  const value = valueAt(table, { ...state, node: entry });
  let endsBy: LineWorst["endsBy"];
  for (state = { ...state, node: entry }; state !== undefined; ) {
    const found: Followed = followBest(table, state);
    steps.push({ node: state.node, work: works[state.left]?.[state.node] ?? noWork, edge: found.edge });
    endsBy = found.endsBy;
    state = found.next;
  }
  return { value, steps, endsBy, isRelaxed: false };
}

interface State {
  readonly left: number;
  readonly round: number;
  readonly node: number;
}

interface Followed {
  readonly edge: LineEdge | undefined;
  readonly next: State | undefined;
  readonly endsBy: LineWorst["endsBy"];
}

function valueAt({ graph, maxRounds, values }: Table, { left, round, node }: State): number {
  return values[(left * (maxRounds + 1) + round) * graph.nodes.length + node] ?? 0;
}

/** The edge that is worth most, or what leaves none. */
function followBest(table: Table, { left, round, node }: State): Followed {
  const { graph, rounds, maxRounds, at, passWork } = table;
  const { measure } = at.survey;
  const spent = rounds[node] ?? { least: 1, most: 1 };
  const answered = spent.most * measure.round;
  const after = maxRounds === 0 ? 0 : round - spent.least;
  const ways = graph.nodes[node]?.ways ?? [];
  const hasRounds = (way: LineEdge) => maxRounds === 0 || (way.isSilent ? round : after) > 0;
  const stateAfter = (way: LineEdge): State => ({
    left: left - way.handoffs,
    round: way.isSilent ? round : after,
    node: way.to,
  });
  const worth = (way: LineEdge) => {
    const passed = way.isPass ? passWork.value : 0;
    return (way.isSilent ? 0 : answered) + way.handoffs * measure.handoff + passed + valueAt(table, stateAfter(way));
  };
  const open = ways.filter((way) => way.handoffs <= left && hasRounds(way));
  const best = findLargest(open, worth);
  if (best !== undefined && worth(best) > answered) return { edge: best, next: stateAfter(best), endsBy: undefined };
  const isSpent = ways.some((way) => way.handoffs > left);
  const endsBy = ways.some((way) => !hasRounds(way)) ? "max_rounds" : isSpent ? "max_handoffs" : undefined;
  return { edge: undefined, next: undefined, endsBy };
}

function findLargest<Item>(items: readonly Item[], worth: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const value = worth(item);
    if (value > most) [best, most] = [item, value];
  }
  return best;
}

function withoutAnswers(graph: LineGraph): LineGraph {
  const nodes = graph.nodes.map((node) => ({ ...node, ways: node.ways.filter((way) => !way.isAnswered) }));
  return finish(nodes, graph.entries, graph.isLoose);
}

/** Too many states to look at: every round may be the costliest. */
function relax(at: CrewAt, table: Table, maxRounds: number): LineWorst {
  const { measure } = at.survey;
  const found = walk(table);
  const costs = table.works.flatMap((row) => row.map(({ value }) => value));
  const most = costs.reduce((a, b) => Math.max(a, b), 0) + table.passWork.value;
  const extra = Math.max(1, ...table.rounds.map((each) => each.most));
  const silent = table.graph.nodes.some(({ ways }) => ways.some((way) => way.isSilent));
  const byRounds = silent ? Number.POSITIVE_INFINITY : (maxRounds - 1 + extra) * most;
  if (measure.handoff > 0) return { ...found, value: Math.min(limitTable(at, table), found.value), isRelaxed: true };
  if (measure.round > 0) return { ...found, value: maxRounds - 1 + extra, endsBy: "max_rounds", isRelaxed: true };
  const value = Math.min(found.value + maxRounds * most, byRounds);
  return { ...found, value, endsBy: "max_rounds", isRelaxed: true };
}

function limitTable(at: CrewAt, { handoffs }: Table): number {
  return at.survey.measure.figure === "handoffs" ? handoffs : Number.POSITIVE_INFINITY;
}
