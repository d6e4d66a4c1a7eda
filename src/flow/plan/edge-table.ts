import type { Way } from "./spot.ts";

/** The edges of a graph in a form that is fast to walk many times. */
export interface EdgeTable {
  /** Where the edges of each node begin, and where those of the last end. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  readonly handoffs: Int8Array;
  readonly isSilent: Int8Array;
  readonly isPass: Int8Array;
  /** Of nodes with very many handoffs of one kind: whether each node is a target. These are not among the edges. */
  readonly wide: readonly (readonly WideEdges[])[];
  /** How many steps one walk over all edges takes. */
  readonly steps: number;
}

interface WideEdges {
  readonly isPass: boolean;
  readonly isTarget: Uint8Array;
}

type Edge = Omit<Way, "to"> & { readonly to: number };

const MANY = 24;

export function compileEdges(nodes: readonly (readonly Edge[])[]): EdgeTable {
  const wide = nodes.map((ways) => [false, true].flatMap((isPass) => findWide(ways, isPass, nodes.length)));
  const narrow = nodes.map((ways, node) =>
    ways.filter((way) => !(isPlain(way) && wide[node]?.some(({ isPass }) => isPass === way.isPass))),
  );
  const all = narrow.flat();
  const starts = new Int32Array(nodes.length + 1);
  for (const [node, ways] of narrow.entries()) starts[node + 1] = (starts[node] ?? 0) + ways.length;
  return {
    starts,
    targets: Int32Array.from(all, ({ to }) => to),
    handoffs: Int8Array.from(all, ({ handoffs }) => handoffs),
    isSilent: Int8Array.from(all, ({ isSilent }) => (isSilent ? 1 : 0)),
    isPass: Int8Array.from(all, ({ isPass }) => (isPass ? 1 : 0)),
    wide,
    steps: all.length + nodes.length + wide.flat().length * 8,
  };
}

function isPlain({ handoffs, isSilent }: Edge): boolean {
  return handoffs === 1 && !isSilent;
}

function findWide(ways: readonly Edge[], isPass: boolean, count: number): WideEdges[] {
  const plain = ways.filter((way) => isPlain(way) && way.isPass === isPass);
  if (plain.length < MANY) return [];
  const isTarget = new Uint8Array(count);
  for (const { to } of plain) isTarget[to] = 1;
  return [{ isPass, isTarget }];
}
