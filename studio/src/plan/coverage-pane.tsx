import { useMemo } from "react";
import { api, type CoverageJson } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { readGraph } from "../graph/graph-data.ts";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { Empty } from "../parts/empty.tsx";
import { Loaded } from "../parts/loaded.tsx";

/** What the scenarios of a crew show of it: covered and missing ways on the drawing, and all of it as a list. */
export function CoveragePane({ crew }: { readonly crew: string }) {
  const resource = useResource(`coverage ${crew}`, () => api.coverage(crew));
  return (
    <Loaded resource={resource} loading="Playing the scenarios, without any model…">
      {(found) =>
        found.passed + found.failed === 0 ? (
          <Empty title="This crew has no scenarios" command="npx baton test --suggest">
            <p>Record a run as a scenario, or let Baton write the ones that are missing.</p>
          </Empty>
        ) : (
          <Covered found={found} />
        )
      }
    </Loaded>
  );
}

function Covered({ found }: { readonly found: CoverageJson }) {
  const graph = useMemo(() => (found.graph === undefined ? undefined : readGraph(found.graph)), [found.graph]);
  return (
    <>
      <div className={`notice${found.failed > 0 ? " bad" : ""}`}>
        {found.passed} {found.passed === 1 ? "scenario passes" : "scenarios pass"}
        {found.failed > 0 && `, ${found.failed} fail: run npx baton test to see why`}.
      </div>
      {found.coverage.map(({ crew, percent, items }) => (
        <section key={crew} className="panel" aria-label={`Coverage of ${crew}`}>
          <header>
            <h2>{crew}</h2>
            <meter min={0} max={100} value={percent} aria-label="Covered" />
            <span>{percent} % covered</span>
          </header>
          <div className="body cover-list">
            {items
              .toSorted((a, b) => Number(a.covered) - Number(b.covered))
              .map(({ name, covered, by }) => (
                <div key={name} className="row">
                  <span className={`badge ${covered ? "good" : "bad"}`}>{covered ? "✓ covered" : "✕ missing"}</span>
                  <span className="mono cut grow">{name}</span>
                  <span className="muted cut">{by.map((file) => file.split("/").at(-1)).join(", ")}</span>
                </div>
              ))}
          </div>
        </section>
      ))}
      <section className="panel" aria-label="Graph">
        {graph !== undefined && <LazyCrewGraph graph={graph} height={460} />}
      </section>
    </>
  );
}
