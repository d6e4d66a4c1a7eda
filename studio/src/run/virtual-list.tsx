import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

/** A list that renders only the rows in sight, however long it is. `show` is the row that is scrolled to when it changes. */
export function VirtualList<Item>({
  items,
  rowHeight,
  keyOf,
  show,
  label,
  children,
}: {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly keyOf: (item: Item, index: number) => string | number;
  readonly show?: number | undefined;
  readonly label: string;
  readonly children: (item: Item, index: number) => ReactNode;
}) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
  });
  useEffect(() => {
    if (show !== undefined && show >= 0) rows.scrollToIndex(show, { align: "auto" });
  }, [show, rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={scroller} className="scroller" aria-label={label} tabIndex={0}>
      <div className="entries" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          return (
            <div
              key={key}
              data-index={index}
              ref={rows.measureElement}
              style={{ position: "absolute", top: 0, left: 0, right: 0, transform: `translateY(${start}px)` }}
            >
              {item !== undefined && children(item, index)}
            </div>
          );
        })}
      </div>
    </section>
  );
}
