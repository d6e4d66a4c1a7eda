import { useState } from "react";
import { api, type CrewDiagnostic, type CrewSummary } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { CrewGraphView } from "../graph/crew-graph-view.tsx";
import { readGraph } from "../graph/graph-data.ts";
import { GraphTree } from "../graph/graph-tree.tsx";
import { StartForm } from "../live/start-form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Link } from "../router/link.tsx";
import { type CrewTab, linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";

const TABS = [
  { name: "graph", title: "Graph" },
  { name: "run", title: "Run" },
] as const;

/** One crew: its drawing, its problems, and a form that runs it. */
export function CrewPage({ name, tab }: { readonly name: string; readonly tab: CrewTab }) {
  const crew = useResource(`crew ${name}`, () => api.crew(name));
  const shown = tab === "run" ? "run" : "graph";
  return (
    <div className="page">
      <header>
        <h1>{name}</h1>
        <Tabs
          label="What is shown of the crew"
          tabs={TABS}
          chosen={shown}
          onChoose={(to) => navigate(linkTo("crews", name, to))}
        />
        <Link className="button end" href={linkTo("crews", name, "chat")}>
          Chat
        </Link>
      </header>
      {shown === "run" && <StartForm crew={name} />}
      {shown === "graph" && (
        <Loaded resource={crew}>
          {(summary) => (
            <>
              <Problems diagnostics={summary.diagnostics} />
              <GraphPanel crew={summary} />
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

function GraphPanel({ crew }: { readonly crew: CrewSummary }) {
  const [isTree, setTree] = useState(false);
  const graph = useResource(`graph ${crew.name}`, async () => readGraph(await api.graph(crew.name)));
  return (
    <section className="panel" aria-label="Graph">
      <header>
        <p className="muted">{crew.description}</p>
        <label className="row end">
          <input type="checkbox" checked={isTree} onChange={({ target }) => setTree(target.checked)} />
          as a list
        </label>
      </header>
      <Loaded resource={graph}>
        {(drawn) => (isTree ? <GraphTree graph={drawn} /> : <CrewGraphView graph={drawn} height={560} />)}
      </Loaded>
    </section>
  );
}

function Problems({ diagnostics }: { readonly diagnostics: readonly CrewDiagnostic[] }) {
  if (diagnostics.length === 0) return <div className="notice">No problems found.</div>;
  return (
    <section className="panel" aria-label="Problems">
      {diagnostics.map(({ severity, code, message, file, line }) => (
        <div key={`${file} ${line} ${code} ${message}`} className="entry" style={{ cursor: "default" }}>
          <span className="row">
            <span className={`badge ${severity === "error" ? "bad" : "warn"}`}>{severity}</span>
            <span className="mono">{code}</span>
          </span>
          <span className="muted mono">
            {file}
            {line !== undefined && `:${line}`}
          </span>
          <span className="said">{message}</span>
        </div>
      ))}
    </section>
  );
}
