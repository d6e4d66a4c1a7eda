import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { api } from "../api/studio-api.ts";
import { useResource } from "../api/use-resource.ts";
import { formatUsd } from "../parts/format.ts";
import { listToolsAhead } from "./tools-ahead.ts";

/** What somebody should know before a fork starts: which tools it may call for real, and what it may cost. */
export function BeforeFork({
  crew,
  events,
  at,
}: {
  readonly crew: string;
  readonly events: readonly BatonEvent[];
  readonly at: number;
}) {
  const plan = useResource(`plan ${crew} `, () => api.plan(crew, new URLSearchParams()));
  const tools = listToolsAhead(events, at);
  return (
    <section className="panel" aria-label="Before it starts">
      <header>
        <h2>Before it starts</h2>
      </header>
      <div className="body stack">
        <p>
          Events 0 to {at} are taken from the old run: nothing up to there is called again. The old run stays as it is.
        </p>
        {tools.length === 0 && <p>The old run called no tools after this event.</p>}
        {tools.map(({ tool, times, isAsked }) => (
          <p key={tool} className="row">
            <span className="mono">{tool}</span>
            <span className="muted">called {times} × after this event</span>
            <span className={`badge end ${isAsked ? "accent" : "warn"}`}>{isAsked ? "asks first" : "live"}</span>
          </p>
        ))}
        {tools.length > 0 && <p className="muted">Live tools may be called again, for real.</p>}
        <p>
          At worst a whole run costs {plan.value === undefined ? "…" : describeUsd(plan.value.worst.costUsd)}
          {plan.value?.likely != null && `, likely ${describeUsd(plan.value.likely.costUsd)}`}.
        </p>
      </div>
    </section>
  );
}

function describeUsd(usd: number | null): string {
  return usd === null ? "an amount that nothing bounds" : formatUsd(usd);
}
