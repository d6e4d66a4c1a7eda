import type { CrewAt } from "./crew-at.ts";
import type { LineGraph } from "./line-graph.ts";
import type { SpotRounds } from "./spot-work.ts";
import type { Work } from "./work.ts";

/** All states of a crew's line: a node, the handoffs left, and the rounds left where they matter. */
export interface Table {
  readonly at: CrewAt;
  readonly graph: LineGraph;
  readonly rounds: readonly SpotRounds[];
  /** By handoffs left, then by node. */
  readonly works: readonly (readonly Work[])[];
  readonly passWork: Work;
  readonly handoffs: number;
  /** 0 where rounds are no limit. */
  readonly maxRounds: number;
  readonly values: Float64Array;
}

/** What a step of one figure adds. */
export interface Steps {
  readonly round: number;
  readonly handoff: number;
}

/** Values in the order in which they follow from each other: few handoffs first, then few rounds. */
export function fillValues(table: Table, perStep: Steps): Float64Array {
  const { graph, rounds, works, handoffs, maxRounds } = table;
  const count = graph.nodes.length;
  const layers = maxRounds + 1;
  const values = new Float64Array(count * (handoffs + 1) * layers);
  const order = orderNodes(graph);
  const rows = new Rows(table, perStep, values);
  for (let left = 0; left <= handoffs; left++) {
    const costs = works[left];
    for (let round = maxRounds === 0 ? 0 : 1; round <= maxRounds; round++) {
      const row = (left * layers + round) * count;
      for (const node of order) {
        const spent = rounds[node];
        const after = maxRounds === 0 ? 0 : round - (spent?.least ?? 1);
        const answered = (spent?.most ?? 1) * perStep.round;
        const next = Math.max(
          rows.bestEdge(node, left, round, after, answered),
          rows.bestWide(node, left, after, answered),
        );
        values[row + node] = Math.max(answered, next) + (costs?.[node]?.value ?? 0);
      }
    }
  }
  return values;
}

/** Looks up what follows a state. */
class Rows {
  readonly #table: Table;
  readonly #steps: Steps;
  readonly #values: Float64Array;
  /** The nodes of each row with the largest values. */
  readonly #leaders = new Map<number, readonly number[]>();

  constructor(table: Table, steps: Steps, values: Float64Array) {
    this.#table = table;
    this.#steps = steps;
    this.#values = values;
  }

  bestEdge(node: number, left: number, round: number, after: number, answered: number): number {
    const { graph, maxRounds, passWork } = this.#table;
    const { starts, targets, handoffs, isSilent, isPass } = graph.edges;
    const count = graph.nodes.length;
    const { handoff } = this.#steps;
    let best = 0;
    const end = read(starts, node + 1);
    for (let edge = read(starts, node); edge < end; edge++) {
      const used = read(handoffs, edge);
      const silent = read(isSilent, edge) === 1;
      const until = silent ? round : after;
      if (used > left || (maxRounds > 0 && until <= 0)) continue;
      const next = read(this.#values, ((left - used) * (maxRounds + 1) + until) * count + read(targets, edge));
      const value = next + (silent ? 0 : answered) + used * handoff + read(isPass, edge) * passWork.value;
      if (value > best) best = value;
    }
    return best;
  }

  bestWide(node: number, left: number, after: number, answered: number): number {
    const { graph, maxRounds, passWork } = this.#table;
    const wide = graph.edges.wide[node];
    if (wide === undefined || wide.length === 0 || left === 0 || (maxRounds > 0 && after <= 0)) return 0;
    const row = (left - 1) * (maxRounds + 1) + after;
    let best = 0;
    for (const { isPass, isTarget } of wide) {
      const next = this.#largestAmong(isTarget, row) + answered + this.#steps.handoff;
      best = Math.max(best, isPass ? next + passWork.value : next);
    }
    return best;
  }

  /** The largest value of a row at a node that is a target: mostly one of the largest of all. */
  #largestAmong(isTarget: Uint8Array, row: number): number {
    const values = this.#values;
    const offset = row * this.#table.graph.nodes.length;
    const leading = this.#leaders.get(row) ?? this.#findLeaders(row, offset);
    for (const node of leading) if (isTarget[node] === 1) return read(values, offset + node);
    let largest = 0;
    for (let node = 0; node < isTarget.length; node++)
      if (isTarget[node] === 1) largest = Math.max(largest, read(values, offset + node));
    return largest;
  }

  /** The two nodes of a row with the largest values: a node that leads to all others but itself leads to one of them. */
  #findLeaders(row: number, offset: number): readonly number[] {
    const values = this.#values;
    const count = this.#table.graph.nodes.length;
    let [first, second] = [0, 0];
    for (let node = 1; node < count; node++) {
      const value = read(values, offset + node);
      if (value > read(values, offset + first)) [first, second] = [node, first];
      else if (second === first || value > read(values, offset + second)) second = node;
    }
    this.#leaders.set(row, [first, second]);
    return [first, second];
  }
}

/** Indexes are within their arrays, which the compiler cannot know. */
function read(array: Int32Array | Int8Array | Float64Array, index: number): number {
  return array[index] as number;
}

/** Where rounds are no limit, what an agent is asked again comes before what it was asked first. */
function orderNodes({ nodes }: LineGraph): number[] {
  const again = nodes.map(({ spot }) =>
    spot.type === "agent" ? spot.retries + (spot.isRepaired ? 1 : 0) + (spot.held === undefined ? 0 : 1) : 0,
  );
  return nodes.map((_, node) => node).sort((a, b) => (again[b] ?? 0) - (again[a] ?? 0));
}
