import { useState } from "react";
import { api, type CrewSummary } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { FilesPane } from "../files/files-pane.tsx";
import { ProblemList } from "../files/problem-list.tsx";
import { readGraph } from "../graph/graph-data.ts";
import { GraphTree } from "../graph/graph-tree.tsx";
import { LazyCrewGraph } from "../graph/lazy-crew-graph.tsx";
import { StartForm } from "../live/start-form.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { CoveragePane } from "../plan/coverage-pane.tsx";
import { PlanPane } from "../plan/plan-pane.tsx";
import { Link } from "../router/link.tsx";
import { type CrewTab, linkTo } from "../router/parse-route.ts";
import { navigate } from "../router/use-location.ts";
import { useMay } from "../shell/session-context.ts";
import { TrafficPane } from "../stats/traffic-pane.tsx";

const TABS = [
  { name: "graph", title: "Graph" },
  { name: "files", title: "Files" },
  { name: "run", title: "Run" },
  { name: "plan", title: "Plan" },
  { name: "coverage", title: "Coverage" },
  { name: "stats", title: "Traffic" },
] as const;

/** One crew: its drawing, its problems, and a form that runs it. */
export function CrewPage({ name, tab }: { readonly name: string; readonly tab: CrewTab }) {
  const crew = useResource(`crew ${name}`, () => api.crew(name));
  const isAdmin = useMay("admin");
  const tabs = TABS.filter(({ name: each }) => isAdmin || (each !== "files" && each !== "coverage"));
  return (
    <div className="page">
      <header>
        <h1>{name}</h1>
        <Tabs
          label="What is shown of the crew"
          tabs={tabs}
          chosen={tab}
          onChoose={(to) => navigate(linkTo("crews", name, to))}
        />
        <Link className="button end" href={linkTo("crews", name, "chat")}>
          Chat
        </Link>
      </header>
      {tab === "run" && <StartForm crew={name} />}
      {tab === "files" && <FilesPane key={name} crew={name} />}
      {tab === "plan" && <PlanPane key={name} crew={name} />}
      {tab === "coverage" && <CoveragePane key={name} crew={name} />}
      {tab === "stats" && <TrafficPane key={name} crew={name} />}
      {tab === "graph" && (
        <Loaded resource={crew}>
          {(summary) => (
            <>
              <ProblemList diagnostics={summary.diagnostics} onOpen={(file, line) => openFile(name, file, line)} />
              <GraphPanel crew={summary} />
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

/** Problems name a file without its folder, which the list of files has. */
function openFile(crew: string, file: string, line: number | undefined): void {
  const query = new URLSearchParams({ file, ...(line !== undefined && { line: String(line) }) });
  navigate(`${linkTo("crews", crew, "files")}?${query}`);
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
        {(drawn) => (isTree ? <GraphTree graph={drawn} /> : <LazyCrewGraph graph={drawn} height={560} />)}
      </Loaded>
    </section>
  );
}
