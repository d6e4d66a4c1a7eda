import { buildDrawing } from "./crew-drawing.ts";
import { type CrewGraph, type EdgeKind, isMissing, listEdgeLabels } from "./crew-graph.ts";
import { type CrewLayout, LINE, layOutCrew, PAD, type PlacedArrow, type PlacedBox } from "./lay-out-crew.ts";

const MARGIN = 24;
const TITLE = 30;
const MISSING = "#b3261e";
const dashes: Readonly<Record<EdgeKind, string>> = {
  moves: "",
  falls: ' stroke-dasharray="2 4"',
  calls: ' stroke-dasharray="7 4"',
};

/** Draws a self-contained picture of a crew: it fetches no font, script or address. */
export function drawSvg(graph: CrewGraph): string {
  const layout = layOutCrew(buildDrawing(graph));
  const width = Math.ceil(Math.max(layout.width, graph.name.length * 9) + 2 * MARGIN);
  const height = Math.ceil(layout.height + TITLE + 2 * MARGIN);
  const name = escapeText(graph.name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" role="img" aria-label="${name}">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 12}" font-size="15" font-weight="bold" fill="#222222">${name}</text>`,
    ...drawCrew(layout, MARGIN, MARGIN + TITLE),
    "</svg>",
    "",
  ].join("\n");
}

/** Arrows are below boxes, and labels are above all arrows. */
function drawCrew({ boxes, arrows }: CrewLayout, x: number, y: number): string[] {
  return [
    `<g transform="translate(${x} ${y})">`,
    ...arrows.map(drawArrow),
    ...boxes.flatMap(drawBox),
    ...arrows.flatMap(drawLabel),
    "</g>",
  ];
}

function drawBox({ box, lines, x, y, width, height, inside }: PlacedBox): string[] {
  const isEntry = box.type === "node" && box.node.isEntry;
  const isFramed = box.type !== "node" || box.node.kind === "group";
  const isLacking = box.type === "node" && isMissing(box.node);
  const stroke = `stroke="${isLacking ? MISSING : "#333333"}" stroke-width="${isEntry ? 2.6 : 1.3}"${isFramed ? ' stroke-dasharray="5 3"' : ""}`;
  return [
    `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" rx="7" fill="#ffffff" ${stroke}/>`,
    ...lines.map((line, index) => {
      const weight = index === 0 ? ' font-weight="bold"' : "";
      return `<text x="${formatNumber(x + PAD)}" y="${formatNumber(y + (index + 1) * LINE)}" font-size="12"${weight} fill="${line.startsWith("✗ ") ? MISSING : "#222222"}">${escapeText(line)}</text>`;
    }),
    ...(inside === undefined ? [] : drawCrew(inside, x + PAD, y + lines.length * LINE + PAD)),
  ];
}

function drawArrow({ edge, side, lane, from, to }: PlacedArrow): string {
  const towards = side === "right" ? -1 : 1;
  const width = edge.times === undefined ? 1.3 : 2.6;
  const colour = isMissing(edge) ? MISSING : "#555555";
  const line = `M ${formatNumber(from.x)} ${formatNumber(from.y)} H ${formatNumber(lane)} V ${formatNumber(to.y)} H ${formatNumber(to.x - towards * 7)}`;
  const head =
    edge.kind === "calls"
      ? `<circle cx="${formatNumber(to.x - towards * 4)}" cy="${formatNumber(to.y)}" r="3.5" fill="#ffffff" stroke="${colour}"/>`
      : `<path d="M ${formatNumber(to.x)} ${formatNumber(to.y)} l ${-towards * 8} -4 v 8 z" fill="${colour}"/>`;
  const title = `${edge.from} to ${edge.to}${edge.labels.length === 0 ? "" : `: ${edge.labels.join(", ")}`}`;
  return `<g><title>${escapeText(title)}</title><path d="${line}" fill="none" stroke="${colour}" stroke-width="${width}"${dashes[edge.kind]}/>${head}</g>`;
}

/** The label is beside the lane, half way along it. */
function drawLabel({ edge, side, lane, from, to }: PlacedArrow): string[] {
  const lines = listEdgeLabels(edge);
  const anchor = side === "right" ? "start" : "end";
  const x = lane + (side === "right" ? 4 : -4);
  const top = (from.y + to.y) / 2 - ((lines.length - 1) * 12) / 2 + 4;
  return lines.map(
    (line, index) =>
      `<text x="${formatNumber(x)}" y="${formatNumber(top + index * 12)}" font-size="11" text-anchor="${anchor}" fill="#222222" stroke="#ffffff" stroke-width="3" paint-order="stroke">${escapeText(line)}</text>`,
  );
}

function formatNumber(number: number): string {
  return String(Math.round(number * 10) / 10);
}

function escapeText(text: string): string {
  // XML allows no other control characters.
  return text
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\t\n\r\u0020-\uFFFF\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .toWellFormed();
}
