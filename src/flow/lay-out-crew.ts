import type { CrewBox, CrewDrawing, NodeBox } from "./crew-drawing.ts";
import { type GraphEdge, listEdgeLabels, listNotes } from "./crew-graph.ts";

/**
 * The layout of a crew: its boxes one below the other, with arrows beside them. Forward arrows are on the right, backward ones
 * on the left.
 */
export interface CrewLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

export interface PlacedBox {
  readonly box: NodeBox | CrewBox;
  /** Its name, and its notes below. */
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly inside: CrewLayout | undefined;
}

/** An arrow along its lane: from the edge of a box to the lane, along it, and to the edge of the other box. */
export interface PlacedArrow {
  readonly edge: GraphEdge;
  readonly side: Side;
  readonly lane: number;
  readonly from: Point;
  readonly to: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

type Side = "right" | "left";

export const LINE = 16;
export const PAD = 10;
const LETTER = 6.6;
const GAP = 26;
const PORT = 13;
const LANE = 16;

/** An arrow between boxes, which are given by number. */
interface Span {
  readonly edge: GraphEdge;
  readonly from: number;
  readonly to: number;
  readonly side: Side;
}

export function layOutCrew({ boxes, crews, arrows }: CrewDrawing): CrewLayout {
  const all = [...boxes, ...crews];
  const numbers = new Map<NodeBox | CrewBox, number>(all.map((box, index) => [box, index]));
  const spans = arrows.map(({ from, to, edge }): Span => {
    const [start, end] = [numbers.get(from) ?? 0, numbers.get(to) ?? 0];
    return { edge, from: start, to: end, side: end > start ? "right" : "left" };
  });
  const lanes = { right: assignLanes(spans, "right"), left: assignLanes(spans, "left") };
  const placed = placeBoxes(all, spans, lanes.left.width);
  const right = lanes.left.width + (placed[0]?.width ?? 0);
  const last = placed.at(-1);
  return {
    width: right + lanes.right.width,
    height: last === undefined ? 0 : last.y + last.height,
    boxes: placed,
    arrows: placeArrows(spans, placed, (span) => {
      const offset = lanes[span.side].offsets.get(span) ?? 0;
      return span.side === "right" ? right + offset : lanes.left.width - offset;
    }),
  };
}

interface Lanes {
  /** How far from the boxes each arrow runs. */
  readonly offsets: ReadonlyMap<Span, number>;
  readonly width: number;
}

/** Short arrows run near the boxes. Arrows that share no box may share a lane. */
function assignLanes(spans: readonly Span[], side: Side): Lanes {
  const lanes: Span[][] = [];
  const byLength = spans.filter((span) => span.side === side).toSorted((a, b) => measureLength(a) - measureLength(b));
  for (const span of byLength) {
    const free = lanes.find((lane) => !lane.some((other) => isBeside(span, other)));
    if (free === undefined) lanes.push([span]);
    else free.push(span);
  }
  const offsets = new Map<Span, number>();
  let width = 0;
  for (const lane of lanes) {
    for (const span of lane) offsets.set(span, width + LANE);
    width += LANE + Math.max(...lane.map(({ edge }) => measureWidth(listEdgeLabels(edge))));
  }
  return { offsets, width: width === 0 ? 0 : width + PAD };
}

function measureLength({ from, to }: Span): number {
  return Math.abs(from - to);
}

function isBeside(a: Span, b: Span): boolean {
  return Math.min(a.from, a.to) <= Math.max(b.from, b.to) && Math.min(b.from, b.to) <= Math.max(a.from, a.to);
}

function placeBoxes(all: readonly (NodeBox | CrewBox)[], spans: readonly Span[], x: number): PlacedBox[] {
  const sized = all.map((box, number) => {
    const lines = listLabels(box);
    const inside = box.type === "crew" ? layOutCrew(box.inside) : undefined;
    const ports = Math.max(...(["right", "left"] as const).map((side) => listPorts(spans, number, side).length));
    const content = lines.length * LINE + (inside === undefined ? 0 : inside.height + PAD);
    const width = Math.max(measureWidth(lines), inside?.width ?? 0) + 2 * PAD;
    return { box, lines, inside, width, height: Math.max(content + PAD, (ports + 1) * PORT) };
  });
  const width = Math.max(120, ...sized.map((each) => each.width));
  let y = 0;
  return sized.map((each) => {
    const placed = { ...each, x, y, width };
    y += each.height + GAP;
    return placed;
  });
}

function listLabels(box: NodeBox | CrewBox): string[] {
  if (box.type === "node") return [box.node.name, ...listNotes(box.node)].flatMap((line) => line.split("\n"));
  return box.type === "crew" ? [box.name] : [box.name, `drawn as ${box.drawnAs.join(" / ")}`];
}

function measureWidth(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => [...line].length)) * LETTER;
}

/** The ends of arrows at one side of a box, from top to bottom. */
function listPorts(spans: readonly Span[], number: number, side: Side): { span: Span; end: "from" | "to" }[] {
  const here = spans.filter((span) => span.side === side);
  return (["to", "from"] as const).flatMap((end) =>
    here.filter((span) => span[end] === number).map((span) => ({ span, end })),
  );
}

function placeArrows(
  spans: readonly Span[],
  placed: readonly PlacedBox[],
  laneOf: (span: Span) => number,
): PlacedArrow[] {
  const points = new Map<Span, { from?: Point; to?: Point }>(spans.map((span) => [span, {}]));
  for (const [number, box] of placed.entries()) {
    for (const side of ["right", "left"] as const) {
      const ports = listPorts(spans, number, side);
      for (const [index, { span, end }] of ports.entries()) {
        const x = side === "right" ? box.x + box.width : box.x;
        const y = box.y + ((index + 1) * box.height) / (ports.length + 1);
        const ends = points.get(span);
        if (ends !== undefined) ends[end] = { x, y };
      }
    }
  }
  return spans.map((span) => {
    const { from = { x: 0, y: 0 }, to = { x: 0, y: 0 } } = points.get(span) ?? {};
    return { edge: span.edge, side: span.side, lane: laneOf(span), from, to };
  });
}
