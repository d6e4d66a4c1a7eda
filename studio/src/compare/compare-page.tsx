import { useMemo } from "react";
import { buildResult } from "../../../src/views/run-result.ts";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { formatUsd } from "../parts/format.ts";
import { JsonText } from "../parts/json-text.tsx";
import { StatusBadge } from "../parts/status-badge.tsx";
import { Link } from "../router/link.tsx";
import { linkTo } from "../router/parse-route.ts";
import { describeEvent } from "../run/describe-event.ts";
import { useRunEvents } from "../run/use-run-events.ts";
import { type Difference, findDifference } from "./find-difference.ts";

/** Two runs side by side, with the first event in which they differ. */
export function ComparePage({ a, b }: { readonly a: string; readonly b: string }) {
  const left = useRunEvents(a);
  const right = useRunEvents(b);
  const difference = useMemo(() => findDifference(left.events, right.events), [left.events, right.events]);
  const isReady = left.events.length > 0 && right.events.length > 0;
  return (
    <div className="page">
      <header>
        <h1>Compare two runs</h1>
      </header>
      {!isReady && <p className="muted">{left.problem ?? right.problem ?? "Loading…"}</p>}
      {isReady && difference === undefined && <div className="notice">The two runs did the same, event by event.</div>}
      {isReady && difference !== undefined && <FirstDifference difference={difference} />}
      {isReady && (
        <div className="sides">
          <Side runId={a} events={left.events} from={difference?.same} />
          <Side runId={b} events={right.events} from={difference?.same} />
        </div>
      )}
    </div>
  );
}

function FirstDifference({ difference: { same, a, b, keys } }: { readonly difference: Difference }) {
  return (
    <section className="panel" aria-label="First difference">
      <header>
        <h2>The first difference comes after {same} equal events</h2>
        {keys.length > 0 && <span className="muted">in {keys.join(", ")}</span>}
      </header>
      <div className="sides body">
        {[a, b].map((event, index) => (
          <div key={event?.id ?? index} className="stack">
            <span className="mono">{event === undefined ? "The run ends here." : `#${event.seq} ${event.type}`}</span>
            {event !== undefined && <JsonText value={pick(event, keys)} />}
          </div>
        ))}
      </div>
    </section>
  );
}

/** The parts of an event that differ. */
function pick({ data }: BatonEvent, keys: readonly string[]): unknown {
  const chosen = Object.entries(data).filter(([key]) => keys.includes(key));
  return chosen.length === 0 ? data : Object.fromEntries(chosen);
}

const SHOWN = 200;

function Side({
  runId,
  events,
  from = 0,
}: {
  readonly runId: string;
  readonly events: readonly BatonEvent[];
  readonly from: number | undefined;
}) {
  const { status, cost, handoffs, output } = buildResult(events);
  const after = events.slice(Math.max(0, from - 3));
  return (
    <section className="panel">
      <header>
        <Link className="mono" href={linkTo("runs", runId)}>
          {runId}
        </Link>
        <StatusBadge status={status} />
        <span className="muted">
          {formatUsd(cost.usd)} · {handoffs} handoffs
        </span>
      </header>
      <p className="body text">{output}</p>
      {after.slice(0, SHOWN).map((event) => (
        <Link key={event.id} className="event-row" href={`${linkTo("runs", runId)}?event=${event.seq}&tab=events`}>
          <span className="muted mono">{event.seq}</span>
          <span className="mono">{event.type}</span>
          <span>{event.agent}</span>
          <span className="muted">{describeEvent(event).slice(0, 200)}</span>
          <span />
        </Link>
      ))}
      {after.length > SHOWN && <p className="body muted">{after.length - SHOWN} more events.</p>}
    </section>
  );
}
