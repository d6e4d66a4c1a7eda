import { useMemo } from "react";
import type { CrewGraph } from "../../../src/flow/crew-graph.ts";
import { addRunToGraph } from "../../../src/flow/run-graph.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { findWorking } from "./find-working.ts";
import type { RunView } from "./run-state.ts";

/** The drawing of the crew with the way that the run took so far, and who is at work. */
export function RunGraph({
  graph,
  events,
  onChange,
}: {
  readonly graph: CrewGraph;
  readonly events: readonly BatonEvent[];
  readonly onChange: (change: Partial<RunView>) => void;
}) {
  const drawn = useMemo(() => addRunToGraph(graph, events), [graph, events]);
  const working = useMemo(() => findWorking(events), [events]);
  return (
    <section className="panel" aria-label="Graph">
      <LazyCrewGraph
        graph={drawn}
        working={working}
        onChoose={({ name }) => {
          const last = events.findLast((event) => event.type === "agent.started" && event.agent === name);
          onChange({ chosen: last?.seq });
        }}
      />
    </section>
  );
}
