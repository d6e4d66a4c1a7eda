import { useEffect, useState } from "react";
import { api, type RunPage, type RunRow } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Empty } from "../parts/empty.tsx";
import { formatAgo } from "../parts/format.ts";
import { Loaded } from "../parts/loaded.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { navigate, useLocation } from "../router/use-location.ts";

const statuses = ["", "queued", "running", "paused", "completed", "failed", "cancelled"];

/** All runs, newest first. */
export function RunListPage() {
  const { params } = useLocation();
  const query = new URLSearchParams([...params].filter(([key]) => key === "crew" || key === "status"));
  query.set("limit", "50");
  const resource = useResource(`runs ${query}`, () => api.runs(query));
  const filter = (key: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value === "") next.delete(key);
    else next.set(key, value);
    navigate(`${linkTo("runs")}?${next}`);
  };
  return (
    <div className="page">
      <header>
        <h1>Runs</h1>
        {params.has("crew") && (
          <button type="button" className="chip" aria-pressed="true" onClick={() => filter("crew", "")}>
            crew {params.get("crew")} ✕
          </button>
        )}
        <label className="row end">
          <span className="muted">Status</span>
          <select
            className="input"
            value={params.get("status") ?? ""}
            onChange={({ target }) => filter("status", target.value)}
          >
            {statuses.map((status) => (
              <option key={status} value={status}>
                {status === "" ? "all" : status}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Loaded resource={resource}>
        {(first) =>
          first.runs.length === 0 ? (
            <NoRuns isFiltered={params.has("status")} />
          ) : (
            <RunTable key={String(query)} first={first} query={query} />
          )
        }
      </Loaded>
    </div>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No run has this status" />;
  return (
    <Empty
      title="No runs yet"
      command={'npx baton run examples/quiz "Start the exam" --script examples/quiz/demo.script.yaml'}
    >
      <p>Start a run on the page of a crew, or in the terminal. It appears here.</p>
    </Empty>
  );
}

function RunTable({ first, query }: { readonly first: RunPage; readonly query: URLSearchParams }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const choose = (runId: string) =>
    setChosen((before) =>
      before.includes(runId) ? before.filter((each) => each !== runId) : [...before, runId].slice(-2),
    );
  const [a, b] = chosen;
  const [pages, setPages] = useState([first]);
  useEffect(() => setPages([first]), [first]);
  const cursor = pages.at(-1)?.next;
  const more = async (from: string) => {
    const next = new URLSearchParams(query);
    next.set("cursor", from);
    const page = await api.runs(next);
    setPages((before) => [...before, page]);
  };
  const now = Date.now();
  return (
    <section className="panel scroll-x" aria-label="Runs">
      {chosen.length > 0 && (
        <header>
          <span className="muted">
            {b === undefined ? "Choose another run to compare it with." : "Two runs are chosen."}
          </span>
          {a !== undefined && b !== undefined && (
            <Link className="button primary end" href={linkTo("compare", b, a)}>
              Compare
            </Link>
          )}
        </header>
      )}
      <table className="table">
        <thead>
          <tr>
            <th>
              <span className="hidden-text">Compare</span>
            </th>
            <th>Status</th>
            <th>Crew</th>
            <th>Input</th>
            <th>Started</th>
            <th>Run</th>
          </tr>
        </thead>
        <tbody>
          {pages.flatMap(({ runs }) =>
            runs.map((row) => (
              <Row
                key={row.runId}
                row={row}
                now={now}
                isChosen={chosen.includes(row.runId)}
                onChoose={() => choose(row.runId)}
              />
            )),
          )}
        </tbody>
      </table>
      {cursor !== undefined && (
        <button type="button" className="button plain" onClick={() => void more(cursor)}>
          Show more
        </button>
      )}
    </section>
  );
}

function Row({
  row,
  now,
  isChosen,
  onChoose,
}: {
  readonly row: RunRow;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Compare ${row.runId}`} checked={isChosen} onChange={onChoose} />
      </td>
      <td>
        <StatusBadge status={row.status} />
      </td>
      <td>{row.crew}</td>
      <td style={{ maxWidth: 420 }}>
        <Link className="cut" style={{ display: "block" }} href={linkTo("runs", row.runId)}>
          {row.input ?? row.runId}
        </Link>
      </td>
      <td className="muted">{formatAgo(row.startedAt, now)}</td>
      <td className="muted mono">{row.runId}</td>
    </tr>
  );
}
