import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import type { Point } from "./lay-out-drawing.ts";

export interface ArrowData extends Record<string, unknown> {
  readonly points: readonly Point[];
  readonly label: Point;
  readonly lines: readonly string[];
  readonly isTaken: boolean;
}

/** An arrow along the way that the layout found for it, so that it crosses no box. */
export function RoutedArrow({ id, data, markerEnd, style }: EdgeProps<Edge<ArrowData, "routed">>) {
  if (data === undefined) return null;
  const { points, label, lines, isTaken } = data;
  return (
    <>
      <BaseEdge
        id={id}
        path={drawCurve(points)}
        {...(markerEnd !== undefined && { markerEnd })}
        {...(style && { style })}
      />
      {lines.length > 0 && (
        <EdgeLabelRenderer>
          <div
            className={`arrow-label${isTaken ? " taken" : ""}`}
            style={{ transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)` }}
          >
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

/** A curve through the middles of a line's parts. */
function drawCurve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return "";
  const middles = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    return `Q ${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  return [`M ${first.x},${first.y}`, ...middles, `L ${last.x},${last.y}`].join(" ");
}
