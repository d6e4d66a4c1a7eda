type Edges = ReadonlyMap<string, readonly string[]>;

/**
 * Finds one cycle for each set of nodes that all lead to each other, as the path around it: `["a", "b", "a"]`. It is a shortest
 * cycle through the first node of the set. There is only one per set, since the number of cycles grows much faster than the
 * number of edges.
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

/** Maps each node to a representative of its strongly connected component (Kosaraju's algorithm). */
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

/** The nodes in the order in which a depth-first walk finishes them. */
function listInFinishingOrder(edges: Edges): string[] {
  const finished: string[] = [];
  const entered = new Set<string>();
  for (const start of edges.keys()) {
    // An explicit stack, because a chain of thousands of agents would overflow the call stack.
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

/** A shortest way from `start` back to itself within its component, breadth first; empty if there is none. */
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
