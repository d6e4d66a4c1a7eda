import { type ReactNode, useMemo, useState } from "react";
import type { BatonEvent } from "../../../src/vocabulary/events.ts";
import { formatClock } from "../parts/format.ts";
import { Tabs } from "../parts/tabs.tsx";
import { EventDetail } from "./event-detail.tsx";
import { EventList } from "./event-list.tsx";
import { findEventsWith } from "./mark-text.ts";
import { cutEvents, findEvent, type RunData } from "./run-data.ts";
import type { RunView } from "./run-state.ts";
import { RunSummary } from "./run-summary.tsx";
import { Timeline } from "./timeline.tsx";
import { TranscriptList } from "./transcript-list.tsx";
import { TreeList } from "./tree-list.tsx";
import { useRunKeys } from "./use-run-keys.ts";

interface Props {
  readonly data: RunData;
  readonly view: RunView;
  readonly onChange: (change: Partial<RunView>) => void;
  readonly actions?: ReactNode;
  /** The drawing of the crew with the way of the run; an exported file may have none. */
  readonly graph?: ((shown: readonly BatonEvent[]) => ReactNode) | undefined;
  readonly more?: ((event: BatonEvent) => ReactNode) | undefined;
}

/** The page of one run. It is a function of its data and of what is looked at, so that a file on disk shows it as a server does. */
export function RunPage({ data, view, onChange, actions, graph, more }: Props) {
  const { events } = data;
  const shown = useMemo(() => cutEvents(events, view.at), [events, view.at]);
  useRunKeys(events, view, onChange);
  const { marked, ...selecting } = useMarks(events, view.chosen);
  const chosen = findEvent(events, view.chosen);
  const until = shown.at(-1)?.ts ?? 0;
  return (
    <div className="page">
      <header>
        <div className="stack" style={{ gap: 0 }}>
          <h1>{data.crew}</h1>
          <span className="muted mono">{data.runId}</span>
        </div>
        <div className="row wrap end">{actions}</div>
      </header>
      <RunSummary events={shown} findings={data.findings} onChoose={(seq) => onChange({ chosen: seq })} />
      {graph?.(shown)}
      <section className="panel" aria-label="Timeline">
        <TimelineHead view={view} onChange={onChange} />
        <Timeline data={data} view={view} until={until} onChange={onChange} />
        <Scrubber events={events} view={view} until={until} onChange={onChange} />
      </section>
      <div className="run-body" {...selecting}>
        <section className="panel">
          <RunTabs view={view} onChange={onChange} />
          {view.tab === "transcript" && (
            <TranscriptList data={data} events={shown} view={view} marked={marked} onChange={onChange} />
          )}
          {view.tab === "tree" && <TreeList events={shown} view={view} onChange={onChange} />}
          {view.tab === "events" && <EventList events={shown} view={view} marked={marked} onChange={onChange} />}
        </section>
        <div className="side-detail">
          {chosen === undefined ? (
            <section className="panel body muted" style={{ padding: 14 }}>
              Choose an entry, a bar or an event to see its details. Select words in the details to mark the earlier
              events that contain them.
            </section>
          ) : (
            <EventDetail event={chosen} events={events} onChoose={(seq) => onChange({ chosen: seq })} more={more} />
          )}
        </div>
      </div>
    </div>
  );
}

function useMarks(events: readonly BatonEvent[], chosen: number | undefined) {
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const mark = () => {
    const text = document.getSelection()?.toString() ?? "";
    setMarked(new Set(findEventsWith(text, events, chosen ?? Number.POSITIVE_INFINITY)));
  };
  return { marked, onMouseUp: mark, onKeyUp: mark };
}

const TABS = [
  { name: "transcript", title: "Transcript" },
  { name: "tree", title: "Tree and costs" },
  { name: "events", title: "Events" },
] as const;

function RunTabs({ view, onChange }: Pick<Props, "view" | "onChange">) {
  return (
    <header>
      <Tabs label="What is shown of the run" tabs={TABS} chosen={view.tab} onChoose={(tab) => onChange({ tab })} />
    </header>
  );
}

function TimelineHead({ view, onChange }: Pick<Props, "view" | "onChange">) {
  const isZoomed = view.range[0] > 0 || view.range[1] < 1;
  return (
    <header>
      <h2>Timeline</h2>
      <div className="legend">
        {(["model", "tool", "wait"] as const).map((kind) => (
          <span key={kind}>
            <i className={`bar ${kind}`} />
            {kind}
          </span>
        ))}
      </div>
      <div className="row end">
        {isZoomed && (
          <button type="button" className="button plain" onClick={() => onChange({ range: [0, 1] })}>
            Show all
          </button>
        )}
        <label className="row muted">
          <input
            type="checkbox"
            checked={view.trueTime}
            onChange={({ target }) => onChange({ trueTime: target.checked })}
          />
          true time
        </label>
      </div>
    </header>
  );
}

function Scrubber({
  events,
  view,
  until,
  onChange,
}: Pick<Props, "view" | "onChange"> & { readonly events: readonly BatonEvent[]; readonly until: number }) {
  const last = events.at(-1)?.seq ?? 0;
  const first = events[0]?.seq ?? 0;
  const at = view.at ?? last;
  return (
    <div className="scrub">
      <input
        type="range"
        aria-label="Go back in time"
        min={first}
        max={last}
        value={at}
        onChange={({ target }) => onChange({ at: Number(target.value) >= last ? undefined : Number(target.value) })}
      />
      <span className="muted mono">
        #{at} of {last} · {formatClock(until)}
      </span>
      {view.at !== undefined && (
        <button type="button" className="button plain" onClick={() => onChange({ at: undefined })}>
          Now
        </button>
      )}
    </div>
  );
}
