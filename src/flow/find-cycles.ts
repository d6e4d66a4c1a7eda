type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * One cycle for each set of nodes that all lead to each other, as the path round it: `["a", "b", "a"]`. It is a shortest
 * one through the set's first node. One per set, since the number of cycles grows much faster than that of edges.
 */
export function findCycles(edges: Edges): string[][] {
  const components = findComponents(edges);
  const visited = new Set<string>();
  return [...edges.keys()].flatMap((start) => {
    const component = components.get(start);
    if (component === undefined || visited.has(component)) return [];
    visited.add(component);
    return findCycleThrough(start, edges, components);
  });
}

/**
 * For each node the one that stands for its set (Kosaraju's algorithm): of what leads to the node that is finished last,
 * everything can be reached from it too, and so on with the rest.
 */
function findComponents(edges: Edges): ReadonlyMap<string, string> {
  const components = new Map<string, string>();
  const sources = reverseEdges(edges);
  for (const first of listInFinishingOrder(edges).reverse()) {
    const queue = [first];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (components.has(node)) continue;
      components.set(node, first);
      for (const source of sources.get(node) ?? []) queue.push(source);
    }
  }
  return components;
}

/** The nodes in the order in which a walk in depth is through with them. */
function listInFinishingOrder(edges: Edges): string[] {
  const finished: string[] = [];
  const entered = new Set<string>();
  for (const start of edges.keys()) {
    // A stack of its own: a chain of thousands of agents must not exhaust the call stack.
    const stack = entered.has(start) ? [] : [{ node: start, next: 0 }];
    entered.add(start);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const target = edges.get(frame.node)?.[frame.next++];
      if (target === undefined) {
        stack.pop();
        finished.push(frame.node);
      } else if (!entered.has(target)) {
        entered.add(target);
        stack.push({ node: target, next: 0 });
      }
    }
  }
  return finished;
}

function reverseEdges(edges: Edges): Edges {
  const reversed = new Map<string, string[]>();
  for (const [source, targets] of edges) {
    for (const target of targets) {
      const sources = reversed.get(target);
      if (sources === undefined) reversed.set(target, [source]);
      else sources.push(source);
    }
  }
  return reversed;
}

/** A shortest way from `start` back to it, breadth first and within its component; none if there is no way. */
function findCycleThrough(start: string, edges: Edges, components: ReadonlyMap<string, string>): string[][] {
  const component = components.get(start);
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of edges.get(node) ?? []) {
      if (target === start) return [tracePath(node, start, cameFrom)];
      if (components.get(target) !== component || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [];
}

function tracePath(last: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [start];
  for (let node: string | undefined = last; node !== undefined; node = cameFrom.get(node)) path.push(node);
  return path.reverse();
}
