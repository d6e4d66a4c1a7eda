import { useMemo } from "react";
import { type BatonEvent, nameSpeaker } from "../../../src/vocabulary/events.ts";
import { formatMs } from "../parts/format.ts";
import { describeEvent, type EventKind, eventKinds, findKind } from "./describe-event.ts";
import { filterEvents } from "./filter-events.ts";
import type { RunView } from "./run-state.ts";
import { VirtualList } from "./virtual-list.tsx";

interface Props {
  readonly events: readonly BatonEvent[];
  readonly view: RunView;
  readonly marked: ReadonlySet<number>;
  readonly onChange: (change: Partial<RunView>) => void;
}

/** All events, one a line, with filters. */
export function EventList({ events, view, marked, onChange }: Props) {
  const present = useMemo(() => new Set(events.map(({ type }) => findKind(type))), [events]);
  const shown = useMemo(() => filterEvents(events, view), [events, view]);
  const start = events[0]?.ts ?? 0;
  const toggle = (kind: EventKind) =>
    onChange({ kinds: view.kinds.includes(kind) ? view.kinds.filter((each) => each !== kind) : [...view.kinds, kind] });
  return (
    <div>
      <div className="row wrap" style={{ padding: "8px 12px" }}>
        <input
          className="input"
          style={{ maxWidth: 260 }}
          type="search"
          aria-label="Search events"
          placeholder="Search events"
          value={view.query}
          onChange={({ target }) => onChange({ query: target.value })}
        />
        <div className="chips">
          {(Object.keys(eventKinds) as EventKind[])
            .filter((kind) => present.has(kind))
            .map((kind) => (
              <button
                key={kind}
                type="button"
                className="chip"
                aria-pressed={view.kinds.includes(kind)}
                onClick={() => toggle(kind)}
              >
                {kind}
              </button>
            ))}
        </div>
        <span className="muted end">
          {shown.length === events.length ? `${events.length} events` : `${shown.length} of ${events.length} events`}
        </span>
      </div>
      <VirtualList
        items={shown}
        rowHeight={30}
        label="Events"
        keyOf={(event, index) => event.seq ?? index}
        show={shown.findIndex(({ seq }) => seq === view.chosen)}
      >
        {(event) => (
          <button
            type="button"
            className={`event-row${marked.has(event.seq ?? -1) ? " marked" : ""}`}
            aria-current={event.seq === view.chosen}
            onClick={() => onChange({ chosen: event.seq })}
          >
            <span className="muted mono">{event.seq}</span>
            <span className="mono">{event.type}</span>
            <span>{nameSpeaker(event)}</span>
            <span className="muted">{describeEvent(event).slice(0, 300)}</span>
            <span className="muted" style={{ textAlign: "right" }}>
              {formatMs(event.ts - start)}
            </span>
          </button>
        )}
      </VirtualList>
    </div>
  );
}
