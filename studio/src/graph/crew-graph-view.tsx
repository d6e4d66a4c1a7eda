import "@xyflow/react/dist/base.css";
import { Background, Controls, type Edge, MarkerType, type Node, ReactFlow } from "@xyflow/react";
import { useMemo, useState } from "react";
import type { CrewGraph } from "../../../src/flow/crew-graph.ts";
import { type BoxData, BoxNode } from "./box-node.tsx";
import { type Additions, type DrawnArrow, type DrawnBox, listDrawing } from "./graph-data.ts";
import { type Layout, move, type Point } from "./lay-out-drawing.ts";
import { type ArrowData, RoutedArrow } from "./routed-arrow.tsx";
import { useLayout } from "./use-layout.ts";

export interface GraphProps {
  readonly graph: CrewGraph;
  /** Names of agents at work, as `alpha/writer`. */
  readonly working?: ReadonlySet<string>;
  readonly chosen?: string | undefined;
  readonly additions?: Additions;
  readonly badgeOf?: (box: DrawnBox) => "error" | "warning" | undefined;
  readonly onChoose?: ((box: DrawnBox) => void) | undefined;
  readonly height?: number;
}

const nodeTypes = { box: BoxNode };
const edgeTypes = { routed: RoutedArrow };
const nobody: ReadonlySet<string> = new Set();
/** A larger crew is not readable as a whole, so it opens at its entry. */
const MANY = 24;

/** The drawing of a crew. All that knows the graph library is here and in the boxes and arrows beside this file. */
export function CrewGraphView(props: GraphProps) {
  const { graph, additions, height = 380 } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(nobody);
  const drawing = useMemo(() => listDrawing(graph, open, additions), [graph, open, additions]);
  const layout = useLayout(drawing);
  if (layout === undefined) {
    return (
      <div style={{ height }} className="empty">
        Placing the agents…
      </div>
    );
  }
  const toggle = (id: string) =>
    setOpen(open.has(id) ? new Set([...open].filter((each) => each !== id)) : new Set([...open, id]));
  const entry = drawing.boxes.find(({ node }) => node?.isEntry === true);
  const fit = drawing.boxes.length > MANY && entry !== undefined ? { nodes: [{ id: entry.id }] } : {};
  return (
    <div style={{ height }}>
      <ReactFlow
        key={[...open].join()}
        nodes={sortByDepth(drawing.boxes).map((box) => buildNode(box, layout, props, toggle))}
        edges={drawing.arrows.map((arrow) => buildEdge(arrow, layout, drawing.boxes))}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={{ maxZoom: 1, minZoom: 0.4, padding: 0.08, ...fit }}
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        nodesFocusable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        onNodeClick={(_, node) => props.onChoose?.(node.data.box)}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={22} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

/** The library wants a box before the boxes inside it. */
function sortByDepth(boxes: readonly DrawnBox[]): DrawnBox[] {
  return boxes.toSorted((a, b) => a.id.split("/").length - b.id.split("/").length);
}

function buildNode(
  box: DrawnBox,
  { places }: Layout,
  { working = nobody, chosen, badgeOf }: GraphProps,
  onToggle: (id: string) => void,
): Node<BoxData, "box"> {
  const { x = 0, y = 0, width = 0, height = 0 } = places.get(box.id) ?? {};
  return {
    id: box.id,
    type: "box",
    position: { x, y },
    width,
    height,
    ...(box.parent !== undefined && { parentId: box.parent }),
    data: {
      box,
      isWorking: working.has(box.id.replaceAll("▣", "")),
      isChosen: box.id === chosen,
      badge: badgeOf?.(box),
      onToggle: () => onToggle(box.id),
    },
  };
}

/** The corner of a box on the whole drawing. */
function findOrigin(id: string | undefined, boxes: readonly DrawnBox[], layout: Layout): Point {
  const place = id === undefined ? undefined : layout.places.get(id);
  if (place === undefined) return { x: 0, y: 0 };
  return move(place, findOrigin(boxes.find((box) => box.id === id)?.parent, boxes, layout));
}

const dashes = { moves: undefined, falls: "6 4", calls: "2 4" } as const;

function buildEdge(arrow: DrawnArrow, layout: Layout, boxes: readonly DrawnBox[]): Edge<ArrowData, "routed"> {
  const route = layout.routes.get(arrow.id);
  const origin = findOrigin(route?.parent, boxes, layout);
  const { isTaken, lines } = arrow;
  const isMissing = arrow.edges.some(({ isCovered }) => isCovered === false);
  const color = isMissing ? "var(--bad)" : isTaken ? "var(--accent)" : "var(--line-strong)";
  return {
    id: arrow.id,
    type: "routed",
    source: arrow.from,
    target: arrow.to,
    data: {
      points: (route?.points ?? []).map((point) => move(point, origin)),
      label: move(route?.label ?? { x: 0, y: 0 }, origin),
      lines,
      isTaken,
    },
    style: { strokeDasharray: dashes[arrow.kind], stroke: color, strokeWidth: isTaken ? 2 : 1.4 },
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color },
  };
}
