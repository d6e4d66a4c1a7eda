import { buildDrawing, type CrewBox, type CrewDrawing } from "./crew-drawing.ts";
import type { CrewGraph, EdgeKind, GraphEdge, GraphNode } from "./crew-graph.ts";

const arrowSigns: Readonly<Record<EdgeKind, string>> = { moves: "──▶", falls: "╌╌▷", calls: "╌╌○" };
const MAX_LABEL = 36;

/** Draws boxes as paragraphs, each with its arrows. That is readable for any number of agents; crossing lines are not. */
export function drawAscii(graph: CrewGraph): string {
  const legend = [
    "──▶ passes on   ╌╌▷ without a signal   ╌╌○ calls and comes back   ■ the run ends   ‖ waits for a human",
    ...(graph.nodes.some(({ isFunction }) => isFunction) ? ["ƒ a function, no model"] : []),
    ...(graph.nodes.some(({ isRemote }) => isRemote) ? ["⇄ a remote agent"] : []),
    ...(graph.nodes.some(({ times }) => times !== undefined) ? ["✓ ×n happened n times"] : []),
    ...(showsCoverage(graph) ? ["✓ a scenario shows it   ✗ none does"] : []),
  ];
  return [...drawCrew(buildDrawing(graph), [graph.name]), legend.join("   "), ""].join("\n");
}

function drawCrew({ graph, crews }: CrewDrawing, path: readonly string[]): string[] {
  const counts = [
    pluralize(count(graph, "agent"), "agent"),
    pluralize(count(graph, "group"), "group"),
    pluralize(graph.crews.size, "sub-crew"),
  ];
  const edges = Map.groupBy(graph.edges, ({ from }) => from);
  return [
    `${formatTitle(path)} (${counts.filter((each) => each !== "").join(", ")})`,
    "",
    ...graph.nodes.flatMap((node) => drawNode(node, edges.get(node.name) ?? [])),
    ...crews.flatMap((box) => drawSubCrew(box, path)),
  ];
}

function drawSubCrew(box: CrewBox, path: readonly string[]): string[] {
  const own = [...path, box.name];
  if (box.type === "crew") return drawCrew(box.inside, own);
  return [`${formatTitle(own)} (drawn above as ${formatTitle([...path.slice(0, 1), ...box.drawnAs])})`, ""];
}

function formatTitle(path: readonly string[]): string {
  return path.join(" / ");
}

function drawNode(node: GraphNode, edges: readonly GraphEdge[]): string[] {
  const words = node.task ?? node.about;
  const about = words === undefined ? "" : `  ${words.replace(/[\s\p{Cc}]+/gu, " ").trim()}`;
  const mark = node.kind === "group" ? "▥" : node.isEntry ? "▶" : "●";
  const kind = node.isFunction ? "ƒ " : node.isRemote ? "⇄ " : "";
  const name = `${kind}${node.name}`;
  const rows = [
    ...edges.map(
      (edge): Row => [
        formatEdge(edge),
        arrowSigns[edge.kind],
        `${edge.toKind === "crew" ? `${edge.to} (crew)` : edge.to}${formatTimes(edge)}${formatCovered(edge)}`,
      ],
    ),
    ...node.ends.map((reason): Row => [reason, "──■", "end"]),
    ...node.waits.map((reason): Row => [reason, "──‖", "a human"]),
    ...(node.missing ?? []).map((what): Row => [what, "  ✗", "no scenario"]),
  ];
  // Math.max would overflow the call stack with a hundred thousand arguments.
  const width = rows.reduce((widest, [label]) => Math.max(widest, label.length), 0);
  return [
    `${mark} ${name}${formatTimes(node)}${about}`,
    ...rows.map(([label, arrow, to]) => `    ${label.padEnd(width)} ${arrow} ${to}`),
    "",
  ];
}

function formatTimes({ times }: GraphNode | GraphEdge): string {
  return times === undefined ? "" : `  ✓ ×${times}`;
}

function showsCoverage({ nodes, edges, crews }: CrewGraph): boolean {
  const isShown = edges.some(({ isCovered }) => isCovered !== undefined) || nodes.some(({ missing }) => missing);
  return isShown || [...crews.values()].some(showsCoverage);
}

function formatCovered({ isCovered }: GraphEdge): string {
  return isCovered === undefined ? "" : isCovered ? "  ✓" : "  ✗ no scenario";
}

type Row = readonly [label: string, arrow: string, to: string];

function formatEdge(edge: GraphEdge): string {
  const words = edge.labels.join(" ");
  if (words === "") return edge.kind === "calls" ? "runs" : "then";
  return words.length > MAX_LABEL ? `${words.slice(0, MAX_LABEL - 1)}…` : words;
}

function count(graph: CrewGraph, kind: GraphNode["kind"]): number {
  return graph.nodes.filter((node) => node.kind === kind).length;
}

function pluralize(number: number, word: string): string {
  if (number === 0) return "";
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
