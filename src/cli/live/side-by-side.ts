import { pad } from "./cells.ts";
import type { Look } from "./look.ts";

/** Narrower than this, those who work at once do not stand side by side. */
const NARROWEST_COLUMN = 39;

/** How many of them fit into a row. */
export function countPerRow(members: number, columns: number): number {
  return Math.max(1, Math.min(members, Math.floor(columns / NARROWEST_COLUMN)));
}

/** Items beside each other, as many as fit into a row; each is drawn as wide as it may be. */
export function placeSideBySide<Item>(
  items: readonly Item[],
  columns: number,
  { style }: Look,
  draw: (item: Item, columns: number) => readonly string[],
): string[] {
  const across = countPerRow(items.length, columns);
  const width = Math.floor((columns + 2) / across) - 2;
  const rows = items.flatMap((_, index) => (index % across === 0 ? [items.slice(index, index + across)] : []));
  return rows.flatMap((row) => {
    const cells = row.map((item) => draw(item, width - 1));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      cells.map((lines) => pad(lines[line] ?? "", width)).join(style("dim", "│ ")),
    );
  });
}
