import dagre from "@dagrejs/dagre";
import type { Drawing, DrawnBox } from "./graph-data.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a box is, relative to the box around it. */
interface Place extends Point {
  readonly width: number;
  readonly height: number;
}

/** The way of an arrow, and where its words stand; relative to the box around both of its ends. */
interface Route {
  readonly parent: string | undefined;
  readonly points: readonly Point[];
  readonly label: Point;
}

export interface Layout {
  readonly places: Map<string, Place>;
  readonly routes: Map<string, Route>;
}

const WIDTH = 190;
const LINE = 17;
const HEAD = 34;
const PAD = 18;
const LETTER = 6.2;

/** Places all boxes from top to bottom. Opened sub-crews are placed first, since their size decides the rest. */
export function layOutDrawing(drawing: Drawing, parent?: string): Layout {
  const layout: Layout = { places: new Map(), routes: new Map() };
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 46, edgesep: 18 });
  const boxes = drawing.boxes.filter((box) => box.parent === parent);
  for (const box of boxes) graph.setNode(box.id, findSize(box, drawing, layout));
  const arrows = drawing.arrows.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { id, from, to, lines } of arrows) {
    const width = Math.max(0, ...lines.map((line) => line.length)) * LETTER + 12;
    graph.setEdge(from, to, { width, height: lines.length * 15 + 4, labelpos: "c" }, id);
  }
  dagre.layout(graph);
  const offset = parent === undefined ? { x: 0, y: 0 } : { x: PAD, y: HEAD + PAD / 2 };
  for (const { id } of boxes) {
    const { x, y, width, height } = graph.node(id);
    layout.places.set(id, { ...move({ x: x - width / 2, y: y - height / 2 }, offset), width, height });
  }
  for (const { id, from, to } of arrows) {
    const { points = [], x = 0, y = 0 } = graph.edge(from, to, id);
    layout.routes.set(id, {
      parent,
      points: points.map((point: Point) => move(point, offset)),
      label: move({ x, y }, offset),
    });
  }
  return layout;
}

export function move({ x, y }: Point, by: Point): Point {
  return { x: x + by.x, y: y + by.y };
}

function findSize(box: DrawnBox, drawing: Drawing, layout: Layout): { width: number; height: number } {
  if (!box.isOpen) return { width: WIDTH, height: HEAD + box.notes.length * LINE };
  const inside = layOutDrawing(drawing, box.id);
  for (const [id, place] of inside.places) layout.places.set(id, place);
  for (const [id, route] of inside.routes) layout.routes.set(id, route);
  const own = drawing.boxes.flatMap(({ id, parent }) => (parent === box.id ? (inside.places.get(id) ?? []) : []));
  const ways = [...inside.routes.values()].flatMap(({ parent, points }) => (parent === box.id ? points : []));
  const right = Math.max(WIDTH, ...own.map(({ x, width }) => x + width), ...ways.map(({ x }) => x));
  const bottom = Math.max(HEAD, ...own.map(({ y, height }) => y + height));
  return { width: right + PAD, height: bottom + PAD };
}
