import { lazy, Suspense } from "react";
import type { GraphProps } from "./crew-graph-view.tsx";

const Loaded = lazy(async () => ({ default: (await import("./crew-graph-view.tsx")).CrewGraphView }));

/** The drawing of a crew, whose library is loaded when the first one is shown. */
export function LazyCrewGraph(props: GraphProps) {
  const { height = 380 } = props;
  return (
    <Suspense fallback={<div style={{ height }} className="empty" />}>
      <Loaded {...props} />
    </Suspense>
  );
}
