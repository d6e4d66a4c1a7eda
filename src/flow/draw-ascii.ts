import type { CrewGraph, EdgeKind, GraphEdge, GraphNode } from "./crew-graph.ts";

const arrows: Readonly<Record<EdgeKind, string>> = { moves: "──▶", falls: "╌╌▷", calls: "╌╌○" };
const MAX_LABEL = 36;

/** Boxes as paragraphs, each with its arrows: reads well at any number of agents, where crossing lines would not. */
export function drawAscii(graph: CrewGraph): string {
  const legend =
    "──▶ passes on   ╌╌▷ without a signal   ╌╌○ calls and comes back   ■ the run ends   ‖ waits for a human";
  return [...drawCrew(graph, graph.name), legend, ""].join("\n");
}

function drawCrew(graph: CrewGraph, title: string): string[] {
  const counts = [
    plural(count(graph, "agent"), "agent"),
    plural(count(graph, "group"), "group"),
    plural(graph.crews.size, "sub-crew"),
  ];
  const crews = [...graph.crews].flatMap(([name, sub]) => drawCrew(sub, `${title} / ${name}`));
  return [
    `${title} (${counts.filter((each) => each !== "").join(", ")})`,
    "",
    ...graph.nodes.flatMap((node) => drawNode(node, graph)),
    ...crews,
  ];
}

function drawNode(node: GraphNode, graph: CrewGraph): string[] {
  const about = node.about === undefined ? "" : `  ${node.about.replace(/\s+/g, " ").trim()}`;
  const mark = node.kind === "group" ? "▥" : node.isEntry ? "▶" : "●";
  const edges = graph.edges.filter((edge) => edge.from === node.name);
  const rows = [
    ...edges.map(
      (edge): Row => [wordsOf(edge), arrows[edge.kind], edge.toKind === "crew" ? `${edge.to} (crew)` : edge.to],
    ),
    ...node.ends.map((reason): Row => [reason, "──■", "end"]),
    ...node.waits.map((reason): Row => [reason, "──‖", "a human"]),
  ];
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return [
    `${mark} ${node.name}${about}`,
    ...rows.map(([label, arrow, to]) => `    ${label.padEnd(width)} ${arrow} ${to}`),
    "",
  ];
}

type Row = readonly [label: string, arrow: string, to: string];

function wordsOf(edge: GraphEdge): string {
  const words = edge.labels.join(" ");
  if (words === "") return edge.kind === "calls" ? "runs" : "then";
  return words.length > MAX_LABEL ? `${words.slice(0, MAX_LABEL - 1)}…` : words;
}

function count(graph: CrewGraph, kind: GraphNode["kind"]): number {
  return graph.nodes.filter((node) => node.kind === kind).length;
}

function plural(number: number, word: string): string {
  if (number === 0) return "";
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
