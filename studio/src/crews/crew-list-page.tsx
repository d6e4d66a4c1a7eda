import { api, type CrewSummary } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Empty } from "../parts/empty.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";

/** The crews that the server has loaded. */
export function CrewListPage() {
  const resource = useResource("crews", api.crews);
  return (
    <div className="page">
      <header>
        <h1>Crews</h1>
      </header>
      <Loaded resource={resource}>
        {({ crews }) =>
          crews.length === 0 ? (
            <Empty title="No crew is loaded" command="npx baton studio crews/desk">
              <p>Start the studio with the folder of a crew.</p>
            </Empty>
          ) : (
            <div className="cards">
              {crews.map((crew) => (
                <CrewCard key={crew.name} crew={crew} />
              ))}
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function CrewCard({ crew }: { readonly crew: CrewSummary }) {
  const errors = crew.diagnostics.filter(({ severity }) => severity === "error").length;
  return (
    <section className="panel body stack card">
      <div className="row">
        <Link href={linkTo("crews", crew.name)}>
          <h2>{crew.name}</h2>
        </Link>
        {crew.diagnostics.length > 0 && (
          <span className={`badge ${errors > 0 ? "bad" : "warn"}`}>
            {crew.diagnostics.length} {crew.diagnostics.length === 1 ? "problem" : "problems"}
          </span>
        )}
      </div>
      <p className="muted">{crew.description ?? crew.agents.map(({ id }) => id).join(", ")}</p>
      <div className="row">
        <Link className="button primary" href={linkTo("crews", crew.name, "run")}>
          Run
        </Link>
        <Link className="button" href={linkTo("crews", crew.name, "chat")}>
          Chat
        </Link>
      </div>
    </section>
  );
}
