import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCycles } from "./find-cycles.ts";

function cyclesOf(edges: Readonly<Record<string, readonly string[]>>): string[] {
  return findCycles(new Map(Object.entries(edges))).map((cycle) => cycle.join(" -> "));
}

describe("finding cycles", () => {
  it.each([
    ["an empty graph", {}],
    ["a single node", { a: [] }],
    ["a chain", { a: ["b"], b: ["c"], c: [] }],
    ["two ways to one node", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }],
    ["an edge to a node that has none of its own", { a: ["z"] }],
  ])("finds none in %s", (_, edges) => expect(cyclesOf(edges)).toEqual([]));

  it("finds a node that leads to itself", () => expect(cyclesOf({ a: ["a"] })).toEqual(["a -> a"]));

  it("finds a circle as the path round it", () => {
    expect(cyclesOf({ a: ["b"], b: ["c"], c: ["a"] })).toEqual(["a -> b -> c -> a"]);
  });

  it("leaves out what only leads to the circle", () => {
    expect(cyclesOf({ a: ["b"], b: ["c"], c: ["b"] })).toEqual(["b -> c -> b"]);
  });

  it("finds a circle once, wherever it is entered", () => {
    expect(cyclesOf({ x: ["b"], y: ["c"], b: ["c"], c: ["b"] })).toHaveLength(1);
  });

  it("finds circles that are apart", () => {
    expect(cyclesOf({ a: ["b"], b: ["a"], c: ["d"], d: ["c"] })).toEqual(["a -> b -> a", "c -> d -> c"]);
  });

  it("finds one circle where several share nodes, a shortest from the first node", () => {
    expect(cyclesOf({ a: ["b", "c"], b: ["a"], c: ["a"] })).toEqual(["a -> b -> a"]);
    expect(cyclesOf({ x: ["c"], a: ["b"], b: ["c"], c: ["d", "a"], d: ["a"] })).toEqual(["a -> b -> c -> a"]);
  });

  it("finds one circle among two hundred nodes that all lead to each other", () => {
    const nodes = Array.from({ length: 200 }, (_, index) => `${index}`);
    const edges = new Map(nodes.map((node) => [node, nodes.filter((other) => other !== node)]));
    expect(findCycles(edges)).toEqual([["0", "1", "0"]]);
  });

  it("follows chains of many thousands", () => {
    const size = 50_000;
    const edges = new Map(Array.from({ length: size }, (_, index) => [`${index}`, [`${(index + 1) % size}`]]));
    expect(findCycles(edges)[0]).toHaveLength(size + 1);
  });

  it("finds none in a chain of many thousands without taking long", { timeout: 5000 }, () => {
    const edges = new Map(Array.from({ length: 30_000 }, (_, index) => [`${index}`, [`${index + 1}`]]));
    expect(findCycles(edges)).toEqual([]);
  });

  it("finds thousands of circles in a chain", () => {
    const pairs = Array.from({ length: 25_000 }, (_, index): [string, string[]][] => [
      [`${index}`, [`${index}'`]],
      [`${index}'`, [`${index}`, `${index + 1}`]],
    ]);
    expect(findCycles(new Map(pairs.flat()))).toHaveLength(pairs.length);
  });
});

describe("what is found in any graph", () => {
  const graph = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 20 }).map((pairs) => {
    const edges = new Map<string, string[]>();
    for (const [from, to] of pairs) edges.set(`${from}`, [...(edges.get(`${from}`) ?? []), `${to}`]);
    return edges;
  });

  it("follows edges and ends where it began, without passing a node twice", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        for (const cycle of findCycles(edges)) {
          expect(cycle.at(-1)).toBe(cycle[0]);
          expect(new Set(cycle).size).toBe(cycle.length - 1);
          for (const [index, node] of cycle.slice(1).entries()) expect(edges.get(cycle[index] ?? "")).toContain(node);
        }
      }),
    );
  });

  it("is one circle for each set of nodes that lead to each other, from the first of them", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const expected = [...edges.keys()].filter((node, index, nodes) => {
          const leadsBack = (other: string) =>
            reachableFrom(node, edges).has(other) && reachableFrom(other, edges).has(node);
          return leadsBack(node) && !nodes.slice(0, index).some(leadsBack);
        });
        expect(findCycles(edges).map(([first]) => first)).toEqual(expected);
      }),
    );
  });

  it("is nothing only where taking away nodes without successors takes away all", () => {
    fc.assert(
      fc.property(graph, (edges) => {
        expect(findCycles(edges).length > 0).toBe(hasCycle(edges));
      }),
    );
  });
});

function hasCycle(edges: ReadonlyMap<string, readonly string[]>): boolean {
  let left = new Map(edges);
  for (;;) {
    const rest = new Map([...left].filter(([, targets]) => targets.some((target) => left.has(target))));
    if (rest.size === left.size) return rest.size > 0;
    left = rest;
  }
}

function reachableFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reachable = new Set(edges.get(start));
  for (const node of reachable) for (const target of edges.get(node) ?? []) reachable.add(target);
  return reachable;
}
