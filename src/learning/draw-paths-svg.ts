import type { PathFigures } from "../journal/handoff-record.ts";
import { amountOf, svgText } from "../vocabulary/wording.ts";
import { layOutPaths, type Spot } from "./lay-out-paths.ts";
import { colours, drawingsOf, type PathArrow, type PathBox, type PathDrawing, UNKNOWN_COLOUR } from "./path-drawing.ts";

const BOX = { width: 132, height: 34 };
const GAP = { x: 130, y: 52 };
const MARGIN = 24;
const TITLE = 30;
const LEGEND = 96;
const LETTERS = 17;

/** A picture of paths: the more traffic the wider, blue where it ends well, red where it does not; figures beside. */
export function drawPathsSvg(paths: readonly PathFigures[]): string {
  let top = MARGIN;
  let width = 640;
  const parts = drawingsOf(paths).map((drawing) => {
    const spots = layOutPaths(drawing);
    const columns = 1 + Math.max(0, ...[...spots.values()].map(({ column }) => column));
    const rows = 1 + Math.max(0, ...[...spots.values()].map(({ row }) => row));
    const part = drawCrew(drawing, spots, top);
    width = Math.max(width, 2 * MARGIN + columns * (BOX.width + GAP.x) - GAP.x);
    top += TITLE + rows * (BOX.height + GAP.y) + GAP.y;
    return part;
  });
  const height = top + LEGEND;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" role="img" aria-label="paths of handoffs">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts.flat(),
    ...legend(top),
    "</svg>",
    "",
  ].join("\n");
}

function drawCrew(drawing: PathDrawing, spots: ReadonlyMap<PathBox, Spot>, top: number): string[] {
  const placeOf = (box: PathBox): Place => {
    const { column, row } = spots.get(box) ?? { column: 0, row: 0 };
    return { x: MARGIN + column * (BOX.width + GAP.x), y: top + TITLE + row * (BOX.height + GAP.y) };
  };
  // The widest at the bottom, so that none is hidden; all labels above all arrows.
  const arrows = drawing.arrows.toSorted((a, b) => b.weight - a.weight).map((arrow) => drawArrow(arrow, placeOf));
  return [
    `<text x="${MARGIN}" y="${top + 12}" font-size="15" font-weight="bold" fill="#222222">${svgText(drawing.crew)}</text>`,
    ...arrows.map(({ line }) => line),
    ...drawing.boxes.map((box) => drawBox(box, placeOf(box))),
    ...drawLabels(arrows),
  ];
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function drawBox({ name, isStart }: PathBox, { x, y }: Place): string {
  const shown = name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name;
  const frame = isStart
    ? `<ellipse cx="${x + BOX.width / 2}" cy="${y + BOX.height / 2}" rx="44" ry="16" fill="#f4f4f4" stroke="#888888"/>`
    : `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="7" fill="#ffffff" stroke="#333333" stroke-width="1.4"/>`;
  const text = `<text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 4}" font-size="12" text-anchor="middle" fill="#222222">${svgText(shown)}</text>`;
  return `<g><title>${svgText(name)}</title>${frame}${text}</g>`;
}

/** An arrow's line, and its label, which stands on it where there is room. */
interface DrawnArrow {
  readonly line: string;
  readonly words: string;
  readonly at: Place;
}

/** To the right straight on; back, or within a column, in a bow below. */
function drawArrow(arrow: PathArrow, placeOf: (box: PathBox) => Place): DrawnArrow {
  const { from, to, weight, colour, label, rate } = arrow;
  const [a, b] = [placeOf(from), placeOf(to)];
  const stroke = 1.5 + 8.5 * weight;
  const { d, at, tip } = b.x > a.x ? onward(a, b, from.isStart) : back(a, b);
  const bounds = rate === undefined ? "not known" : `${Math.round(rate.low * 100)} to ${Math.round(rate.high * 100)} %`;
  const title = `${from.name} to ${to.name}: ${amountOf(arrow.handoffs, "handoff")}, success ${bounds}`;
  const dashes = rate === undefined ? ' stroke-dasharray="6 4"' : "";
  const path = `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${stroke.toFixed(1)}"${dashes}/>`;
  return {
    line: `<g><title>${svgText(title)}</title>${path}${head(tip, stroke, colour)}</g>`,
    words: label,
    at,
  };
}

/** Labels one below the other where they would cover each other. */
function drawLabels(arrows: readonly DrawnArrow[]): string[] {
  const taken: Place[] = [];
  return arrows.map(({ words, at: { x, y: wanted } }) => {
    let y = wanted;
    while (taken.some((other) => Math.abs(other.x - x) < 62 && Math.abs(other.y - y) < 12)) y += 3;
    taken.push({ x, y });
    const width = words.length * 6 + 6;
    const ground = `<rect x="${(x - width / 2).toFixed(0)}" y="${(y - 10).toFixed(0)}" width="${width}" height="13" rx="3" fill="#ffffff" fill-opacity="0.88"/>`;
    const text = `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}" font-size="11" text-anchor="middle" fill="#222222">`;
    return `${ground}${text}${svgText(words)}</text>`;
  });
}

interface Curve {
  readonly d: string;
  /** Where its label stands. */
  readonly at: Place;
  readonly tip: Place & { readonly angle: number };
}

const HEAD = 10;

function onward(a: Place, b: Place, isStart: boolean): Curve {
  const start = { x: a.x + BOX.width - (isStart ? 22 : 0), y: a.y + BOX.height / 2 };
  const end = { x: b.x - HEAD, y: b.y + BOX.height / 2 };
  const bend = Math.min(90, (end.x - start.x) / 2);
  const bows = [
    { x: start.x + bend, y: start.y },
    { x: end.x - bend, y: end.y },
  ] as const;
  // Nearer to the target, where arrows from one box are apart.
  return { ...curve(start, ...bows, end, 0.7), tip: { x: b.x, y: end.y, angle: 0 } };
}

function back(a: Place, b: Place): Curve {
  const start = { x: a.x + BOX.width / 2 + 14, y: a.y + BOX.height };
  const end = { x: b.x + BOX.width / 2 - 14, y: b.y + BOX.height + HEAD };
  const deep = Math.max(start.y, end.y) + 26 + Math.abs(a.x - b.x) / 16;
  const tip = { x: end.x, y: end.y - HEAD, angle: -90 };
  return { ...curve(start, { x: start.x, y: deep }, { x: end.x, y: deep }, end, 0.5), tip };
}

/** A Bézier curve, and the place on it at a share of its way. */
function curve(a: Place, b: Place, c: Place, d: Place, share: number): Pick<Curve, "d" | "at"> {
  const left = 1 - share;
  const along = (axis: "x" | "y") =>
    left ** 3 * a[axis] + 3 * left ** 2 * share * b[axis] + 3 * left * share ** 2 * c[axis] + share ** 3 * d[axis];
  const text = `M ${a.x} ${a.y} C ${b.x} ${b.y}, ${c.x} ${c.y}, ${d.x} ${d.y}`;
  return { d: text, at: { x: along("x"), y: along("y") + 4 } };
}

function head({ x, y, angle }: Curve["tip"], stroke: number, colour: string): string {
  const half = Math.max(5, stroke * 0.9);
  return `<path d="M 0 0 L ${-HEAD - 1} ${-half} L ${-HEAD - 1} ${half} Z" transform="translate(${x} ${y}) rotate(${angle})" fill="${colour}"/>`;
}

function legend(top: number): string[] {
  const known = [...colours, { colour: UNKNOWN_COLOUR, words: "not known" }];
  const entries = known.map(({ colour, words }, index) => {
    const x = MARGIN + (index % 3) * 190;
    const y = top + 26 + Math.floor(index / 3) * 22;
    return `<rect x="${x}" y="${y - 9}" width="26" height="9" fill="${colour}"/><text x="${x + 34}" y="${y}" font-size="11" fill="#222222">${words}</text>`;
  });
  const words = "colour: how many went well; width: how many handoffs; beside each arrow: their number, and the share";
  return [`<text x="${MARGIN}" y="${top}" font-size="11" fill="#555555">${words}</text>`, ...entries];
}
