import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { Loaded } from "../parts/loaded.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { describeEvent } from "../run/describe-event.ts";
import { findEvent } from "../run/run-data.ts";
import { useRunEvents } from "../run/use-run-events.ts";
import { useMay } from "../shell/session-context.ts";
import { BeforeFork } from "./before-fork.tsx";
import { ForkForm } from "./fork-form.tsx";

/** Starts a new run out of an old one with one thing changed. The old run stays as it is. */
export function ForkPage({ runId, at }: { readonly runId: string; readonly at: number }) {
  const { events, problem } = useRunEvents(runId);
  const isAdmin = useMay("admin");
  const [started] = events;
  const crew = started?.type === "run.started" ? started.data.crew : undefined;
  const event = findEvent(events, at);
  const summary = useResource(`prompts ${crew}`, async () =>
    crew === undefined ? undefined : api.crew(crew, isAdmin),
  );
  if (event === undefined || crew === undefined) return <p className="page muted">{problem ?? "Loading…"}</p>;
  return (
    <div className="page">
      <header>
        <h1>Fork at event #{at}</h1>
        <Link className="muted mono" href={`${linkTo("runs", runId)}?event=${at}`}>
          {runId}
        </Link>
      </header>
      <section className="panel body stack" aria-label="The event">
        <span className="mono">
          {event.type} {event.agent !== undefined && <span className="muted">{event.agent}</span>}
        </span>
        <p className="text">{describeEvent(event)}</p>
      </section>
      <div className="sides">
        <Loaded resource={summary}>
          {(found) => (found === undefined ? null : <ForkForm key={at} runId={runId} event={event} crew={found} />)}
        </Loaded>
        <BeforeFork crew={crew} events={events} at={at} />
      </div>
    </div>
  );
}
