import type { CrewAt } from "./crew-at.ts";
import type { WideEdges } from "./edge-table.ts";
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

const none: readonly WideEdges[] = [];

/** Values in the order in which they follow from each other: few handoffs first, then few rounds. */
export function fillValues(table: Table, perRound: number, perHandoff: number): Float64Array {
  const { graph, rounds, works, passWork, handoffs, maxRounds } = table;
  const { starts, targets, handoffs: counts, isSilent, isPass, wide } = graph.edges;
  const count = graph.nodes.length;
  const layers = maxRounds + 1;
  const values = new Float64Array(count * (handoffs + 1) * layers);
  const order = orderNodes(graph);
  // Indexes are within their arrays, which the compiler cannot know.
  const read = (array: Int32Array | Int8Array | Float64Array, index: number): number => array[index] as number;
  const sorted = new Map<number, Int32Array>();
  /** The largest value of a row at a node that is a target: the first one, in the order of the values. */
  const largestAmong = (isTarget: Uint8Array, row: number): number => {
    let byValue = sorted.get(row);
    if (byValue === undefined) {
      byValue = Int32Array.from({ length: count }, (_, node) => node);
      byValue.sort((a, b) => read(values, row * count + b) - read(values, row * count + a));
      sorted.set(row, byValue);
    }
    for (const node of byValue) if (isTarget[node] === 1) return read(values, row * count + node);
    return 0;
  };
  for (let left = 0; left <= handoffs; left++) {
    const costs = works[left];
    for (let round = maxRounds === 0 ? 0 : 1; round <= maxRounds; round++) {
      const row = (left * layers + round) * count;
      for (const node of order) {
        const spent = rounds[node];
        const after = maxRounds === 0 ? 0 : round - (spent?.least ?? 1);
        const answered = (spent?.most ?? 1) * perRound;
        let best = answered;
        const end = read(starts, node + 1);
        for (const { isPass: passes, isTarget } of left === 0 || (maxRounds > 0 && after <= 0) ? none : (wide[node] ?? none)) {
          const value = largestAmong(isTarget, (left - 1) * layers + after) + answered + perHandoff;
          best = Math.max(best, value + (passes ? passWork.value : 0));
        }
        for (let edge = read(starts, node); edge < end; edge++) {
          const used = read(counts, edge);
          const silent = read(isSilent, edge);
          const until = silent === 1 ? round : after;
          if (used > left || (maxRounds > 0 && until <= 0)) continue;
          const next = read(values, ((left - used) * layers + until) * count + read(targets, edge));
          const value = next + (silent === 1 ? 0 : answered) + used * perHandoff + read(isPass, edge) * passWork.value;
          if (value > best) best = value;
        }
        values[row + node] = best + (costs?.[node]?.value ?? 0);
      }
    }
  }
  return values;
}

/** Where rounds are no limit, what an agent is asked again comes before what it was asked first. */
function orderNodes({ nodes }: LineGraph): number[] {
  const again = nodes.map(({ spot }) =>
    spot.type === "agent" ? spot.retries + (spot.isRepaired ? 1 : 0) + (spot.held === undefined ? 0 : 1) : 0,
  );
  return nodes.map((_, node) => node).sort((a, b) => (again[b] ?? 0) - (again[a] ?? 0));
}

