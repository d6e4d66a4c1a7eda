import type { CrewGraph } from "../../../src/flow/crew-graph.ts";

/** The graph of a sub-crew by the names that lead to it, such as `office/lab`; the outer crew's for an empty name. */
export function findInnerGraph(graph: CrewGraph, names: string): CrewGraph | undefined {
  return names
    .split("/")
    .filter((name) => name !== "")
    .reduce<CrewGraph | undefined>((inner, name) => inner?.crews.get(name), graph);
}
