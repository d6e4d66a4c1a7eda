/** Cycles of a graph, each once, as the path round it: `["a", "b", "a"]`. One is found for every edge that closes a circle. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  for (const start of edges.keys()) {
    const path: string[] = [];
    const positions = new Map<string, number>();
    // Explicit stack: a chain of thousands of agents must not exhaust the call stack.
    const stack: { readonly node: string; next: number }[] = [];
    const enter = (node: string): void => {
      positions.set(node, path.length);
      path.push(node);
      stack.push({ node, next: 0 });
    };
    if (!finished.has(start)) enter(start);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const target = edges.get(frame.node)?.[frame.next++];
      if (target === undefined) {
        stack.pop();
        path.pop();
        positions.delete(frame.node);
        finished.add(frame.node);
      } else if (positions.has(target)) {
        cycles.push([...path.slice(positions.get(target)), target]);
      } else if (!finished.has(target)) {
        enter(target);
      }
    }
  }
  return cycles;
}
