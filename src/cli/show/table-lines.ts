import { countCells, cut } from "../live/cells.ts";
import type { Terminal } from "../terminal.ts";

/** A column of a table; its cells are plain text. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumber?: boolean;
  /** It may be cut to this width where room is short. */
  readonly least?: number;
  /** It may be left out where room is very short; the smaller, the sooner. */
  readonly rank?: number;
  readonly paint?: (text: string, row: number) => string;
}

const GAP = 2;

/** A table that is as wide as it needs to be, and no wider than it may. */
export function tableLines(columns: readonly Column[], room: number, style: Terminal["style"]): string[] {
  const widths = computeWidths(columns, room);
  if (widths === undefined) return tableLines(columns.toSpliced(findColumnToDrop(columns), 1), room, style);
  const line = (row: number) =>
    columns
      .map(({ title, cells, isNumber, paint }, index) => {
        const width = widths[index] ?? 0;
        const text = cut(row < 0 ? title : (cells[row] ?? ""), width);
        const space = " ".repeat(width - countCells(text));
        const shown = row < 0 ? style("dim", text) : (paint?.(text, row) ?? text);
        return isNumber ? space + shown : shown + space;
      })
      .join(" ".repeat(GAP))
      .trimEnd();
  const rows = columns[0]?.cells.length ?? 0;
  return Array.from({ length: rows + 1 }, (_, index) => line(index - 1));
}

/** The cells that the widest of some texts takes. */
export function findWidest(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, countCells(text)), 0);
}

/** The column with the lowest rank; the last column if none has a rank. */
function findColumnToDrop(columns: readonly Column[]): number {
  const ranked = columns.map(({ rank = Number.POSITIVE_INFINITY }) => rank);
  return ranked.lastIndexOf(Math.min(...ranked));
}

/** The widest that may be cut gives way first; undefined where a column has to go. */
function computeWidths(columns: readonly Column[], room: number): number[] | undefined {
  const widths = columns.map(({ title, cells }) => findWidest([title, ...cells]));
  const spare = () => room - GAP * (columns.length - 1) - widths.reduce((sum, width) => sum + width, 0);
  const mayShrink = (index: number) => (widths[index] ?? 0) > (columns[index]?.least ?? Number.POSITIVE_INFINITY);
  while (spare() < 0) {
    const [widest] = [...columns.keys()].filter(mayShrink).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) return columns.length > 1 ? undefined : [Math.max(1, room)];
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
