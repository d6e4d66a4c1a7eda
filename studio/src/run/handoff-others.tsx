import { listEdgeLabels } from "../../../src/flow/crew-graph.ts";
import type { EventOf } from "../../../src/vocabulary/events.ts";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { findInnerGraph } from "../graph/find-inner-graph.ts";
import { readGraph } from "../graph/graph-data.ts";

/** Where else the agent could have led, and how often each way was taken in the stored runs. */
export function HandoffOthers({ crew, event }: { readonly crew: string; readonly event: EventOf<"handoff"> }) {
  const { from, to } = event.data;
  const graph = useResource(`graph ${crew}`, async () => readGraph(await api.graph(crew)));
  const traffic = useResource(`traffic ${crew}`, () => api.traffic(crew));
  const inner = graph.value && findInnerGraph(graph.value, event.crew ?? "");
  const edges = inner?.edges.filter((edge) => edge.from === from) ?? [];
  const places = [...new Set(edges.map((edge) => edge.to))];
  if (places.length === 0) return null;
  const count = (target: string) =>
    (traffic.value?.paths ?? [])
      .filter((path) => path.from === from && path.to === target)
      .reduce((sum, { handoffs }) => sum + handoffs, 0);
  return (
    <div className="stack">
      <h3>Where {from} may lead, and how often it did in all stored runs</h3>
      {places.map((place) => (
        <div key={place} className="row">
          <span className="cut">
            {place === to ? <strong>→ {place}</strong> : `→ ${place}`}{" "}
            <span className="muted">
              {[...new Set(edges.filter((edge) => edge.to === place).flatMap(listEdgeLabels))].join(", ")}
            </span>
          </span>
          <span className="end muted">{traffic.value === undefined ? "…" : `${count(place)} ×`}</span>
        </div>
      ))}
    </div>
  );
}
