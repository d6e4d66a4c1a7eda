import { useMemo } from "react";
import type { GraphEdge } from "../../../src/flow/crew-graph.ts";
import { api, type PathTraffic, type Statistics } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { readGraph } from "../graph/graph-data.ts";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { Empty } from "../parts/empty.tsx";
import { formatMs, formatUsd } from "../parts/format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";

/** How often each way was taken across runs, how often that went well, what it cost and how long it took. */
export function TrafficPane({ crew }: { readonly crew: string }) {
  const stats = useResource(`traffic ${crew}`, () => api.traffic(crew));
  const graph = useResource(`graph ${crew}`, async () => readGraph(await api.graph(crew)));
  return (
    <Loaded resource={stats}>
      {(found) =>
        found.paths.length === 0 ? (
          <Empty title="No handoffs yet">
            <p>Each run of this crew adds its handoffs here.</p>
          </Empty>
        ) : (
          <>
            <section className="panel" aria-label="Graph">
              {graph.value !== undefined && <TrafficGraph graph={graph.value} paths={found.paths} />}
            </section>
            <Paths crew={crew} stats={found} />
          </>
        )
      }
    </Loaded>
  );
}

function TrafficGraph({
  graph,
  paths,
}: {
  readonly graph: ReturnType<typeof readGraph>;
  readonly paths: readonly PathTraffic[];
}) {
  const additions = useMemo(
    () => ({ linesOf: (edges: readonly GraphEdge[]) => describeTraffic(edges, paths) }),
    [paths],
  );
  return <LazyCrewGraph graph={graph} additions={additions} height={440} />;
}

/** `12 ×, 92 % good` beside an arrow. */
function describeTraffic([edge]: readonly GraphEdge[], paths: readonly PathTraffic[]): string[] {
  const same = paths.filter(({ from, to }) => from === edge?.from && to === edge.to);
  const count = same.reduce((sum, { handoffs }) => sum + handoffs, 0);
  const good = same.reduce((sum, { successes }) => sum + successes, 0);
  const known = good + same.reduce((sum, { failures }) => sum + failures, 0);
  if (count === 0) return [];
  return [known === 0 ? `${count} ×` : `${count} ×, ${Math.round((100 * good) / known)} % good`];
}

function Paths({ crew, stats }: { readonly crew: string; readonly stats: Statistics }) {
  return (
    <>
      <section className="panel scroll-x" aria-label="Handoffs">
        <table className="table">
          <thead>
            <tr>
              <th>Handoff</th>
              <th>By</th>
              <th className="number">Times</th>
              <th className="number">Good</th>
              <th className="number">Failed</th>
              <th className="number">Cost each</th>
              <th className="number">Time each</th>
            </tr>
          </thead>
          <tbody>
            {stats.paths.map(({ from, to, via, handoffs, successes, failures, costUsd, ms }) => (
              <tr key={`${from} ${to} ${via}`}>
                <td>
                  {from} → {to}
                </td>
                <td className="muted">{via.replaceAll("_", " ")}</td>
                <td className="number">{handoffs}</td>
                <td className="number">{successes}</td>
                <td className="number">{failures}</td>
                <td className="number">{formatUsd(costUsd === null ? null : costUsd / handoffs)}</td>
                <td className="number">{formatMs(ms / handoffs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {stats.loops.length > 0 && (
        <section className="panel body stack" aria-label="Loops">
          <h2>Loops</h2>
          {stats.loops.map(({ loop, handoffs }) => (
            <p key={loop}>
              {loop} <span className="muted">{handoffs} ×</span>
            </p>
          ))}
        </section>
      )}
      {stats.unmatchedInputs.length > 0 && (
        <section className="panel body stack" aria-label="Unmatched inputs">
          <h2>Inputs for which no agent seemed to fit</h2>
          {stats.unmatchedInputs.map(({ runId, input = runId }) => (
            <Link key={runId} href={linkTo("runs", runId)} className="cut">
              {input}
            </Link>
          ))}
        </section>
      )}
      <Link href={`${linkTo("runs")}?crew=${encodeURIComponent(crew)}`}>All runs of {crew}</Link>
    </>
  );
}
