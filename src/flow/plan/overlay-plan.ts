import type { CrewGraph, GraphEdge } from "../crew-graph.ts";
import type { Plan } from "./plan.ts";

/** Draws a plan on a crew's graph: what each agent takes in the worst run, and how often that run takes each arrow. */
export function overlayPlan(graph: CrewGraph, plan: Pick<Plan, "agents" | "worst">, place = ""): CrewGraph {
  const parts = new Map(plan.agents.map((part) => [part.agent, part]));
  const taken = place === "" ? countSteps(plan.worst.path) : new Map<string, number>();
  const nameAt = (name: string) => (place === "" ? name : `${place}/${name}`);
  const describeCost = (name: string): string | undefined => {
    const part = parts.get(nameAt(name));
    if (part === undefined || part.modelCalls === 0) return undefined;
    const usd = part.costUsd === null ? "" : `, ≤ ${formatUsd(part.costUsd)}`;
    return `≤ ${part.modelCalls.toLocaleString("en-US")} calls${usd}`;
  };
  const describeShortCost = (name: string): string | undefined => {
    const usd = parts.get(nameAt(name))?.costUsd;
    return usd === null || usd === undefined || usd === 0 ? describeCost(name) : `≤ ${formatUsd(usd)}`;
  };
  return {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const cost = describeCost(node.name);
      if (cost === undefined) return node;
      // Shown in every drawing, where what an agent is about is not.
      return { ...node, task: node.about === undefined ? cost : `${cost}: ${node.about}` };
    }),
    edges: graph.edges.map((edge) =>
      labelEdge(edge, describeShortCost(edge.to), taken.get(edgeKey(edge.from, edge.to))),
    ),
    crews: new Map([...graph.crews].map(([name, sub]) => [name, overlayPlan(sub, plan, nameAt(name))])),
  };
}

function labelEdge(edge: GraphEdge, cost: string | undefined, times: number | undefined): GraphEdge {
  const taken = times === undefined ? [] : [`×${times} at worst`];
  return { ...edge, labels: [...edge.labels, ...(cost === undefined ? [] : [cost]), ...taken] };
}

function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

function countSteps(path: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [index, to] of path.slice(1).entries()) {
    const key = edgeKey(path[index] ?? "", to);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function formatUsd(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}
