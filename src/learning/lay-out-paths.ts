import type { PathBox, PathDrawing } from "./path-drawing.ts";

/** Where a box stands: in columns by how far it is from where runs begin, in rows within a column. */
export interface Spot {
  readonly column: number;
  readonly row: number;
}

/** Puts boxes into columns, so that most arrows lead to the right. */
export function layOutPaths({ boxes, arrows }: PathDrawing): ReadonlyMap<PathBox, Spot> {
  const columns = new Map<PathBox, number>();
  const goOn = (from: readonly PathBox[], column: number): void => {
    for (const box of from) columns.set(box, column);
    const next = arrows.filter((arrow) => from.includes(arrow.from) && !columns.has(arrow.to)).map(({ to }) => to);
    if (next.length > 0) goOn([...new Set(next)], column + 1);
  };
  goOn(beginningsOf({ boxes, arrows }), 0);
  // Those that nothing leads to from there begin on their own.
  for (const box of boxes) if (!columns.has(box)) goOn([box], 0);
  const rows = new Map<number, number>();
  return new Map(
    boxes.map((box) => {
      const column = columns.get(box) ?? 0;
      const row = rows.get(column) ?? 0;
      rows.set(column, row + 1);
      return [box, { column, row }];
    }),
  );
}

function beginningsOf({ boxes, arrows }: Pick<PathDrawing, "boxes" | "arrows">): PathBox[] {
  const start = boxes.filter(({ isStart }) => isStart);
  if (start.length > 0) return start;
  const untouched = boxes.filter((box) => !arrows.some(({ to }) => to === box));
  return untouched.length > 0 ? untouched : boxes.slice(0, 1);
}
