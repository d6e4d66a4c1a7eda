import { useEffect, useMemo, useState } from "react";
import type { Drawing } from "./graph-data.ts";
import { type Layout, layOutDrawing } from "./lay-out-drawing.ts";

const SMALL = 40;
const known = new Map<string, Layout>();

/** Places a drawing: a small one at once, a large one in a worker. Drawings that were placed before are not placed again. */
export function useLayout(drawing: Drawing): Layout | undefined {
  const key = useMemo(() => describeDrawing(drawing), [drawing]);
  const [placed, setPlaced] = useState<{ key: string; layout: Layout }>();
  useEffect(() => {
    if (known.has(key) || drawing.boxes.length <= SMALL) return;
    const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Layout>) => {
      known.set(key, data);
      setPlaced({ key, layout: data });
    };
    worker.postMessage(drawing);
    return () => worker.terminate();
  }, [key, drawing]);
  const small = useMemo(
    () => known.get(key) ?? (drawing.boxes.length <= SMALL ? layOutDrawing(drawing) : undefined),
    [key, drawing],
  );
  return small ?? (placed?.key === key ? placed.layout : undefined);
}

/** Two drawings with this text have the same layout. */
function describeDrawing({ boxes, arrows }: Drawing): string {
  return JSON.stringify([
    boxes.map(({ id, parent, isOpen, notes }) => [id, parent, isOpen, notes.length]),
    arrows.map(({ id, lines }) => [id, lines]),
  ]);
}
