import { formatMs } from "../parts/format.ts";
import type { Lanes } from "./collect-lanes.ts";
import { findEvent, type RunData } from "./run-data.ts";
import type { RunView } from "./run-state.ts";
import type { TimeScale } from "./time-scale.ts";

interface Props {
  readonly data: RunData;
  readonly lanes: Lanes;
  readonly scale: TimeScale;
  readonly view: RunView;
  readonly until: number;
  readonly drag: readonly [number, number] | undefined;
  readonly onChange: (change: Partial<RunView>) => void;
}

/** What lies across all lanes: folded time, pauses, findings, the moment that is shown. */
export function TimelineOverlay({ data, lanes, scale, view, until, drag, onChange }: Props) {
  const [start, end] = view.range;
  const toPercent = (x: number) => ((x - start) / (end - start)) * 100;
  const band = (from: number, to: number) => ({
    left: `${toPercent(from)}%`,
    width: `${toPercent(to) - toPercent(from)}%`,
  });
  return (
    <div className="overlay">
      {lanes.pauses.map(({ seq, from, to = lanes.to }) => (
        <div key={seq} className="paused" style={band(scale.toX(from), scale.toX(to))} />
      ))}
      {scale.breaks.map(({ from, to }) => (
        <div key={from} className="fold" style={band(scale.toX(from), scale.toX(to))}>
          <span className="fold-words">{formatMs(to - from)}</span>
        </div>
      ))}
      {drag !== undefined && <div className="chosen-range" style={band(Math.min(...drag), Math.max(...drag))} />}
      {view.at !== undefined && <div className="cursor" style={{ left: `${toPercent(scale.toX(until))}%` }} />}
      <Findings data={data} place={(ts) => toPercent(scale.toX(ts))} onChange={onChange} />
    </div>
  );
}

function Findings({
  data,
  place,
  onChange,
}: {
  readonly data: RunData;
  readonly place: (ts: number) => number;
  readonly onChange: Props["onChange"];
}) {
  return data.findings.map(({ code, title, events }) => {
    const event = findEvent(data.events, events[0]);
    if (event === undefined) return null;
    const left = `${Math.min(99, Math.max(1, place(event.ts)))}%`;
    return (
      <button
        key={`${code} ${event.seq}`}
        type="button"
        className="finding"
        style={{ left }}
        title={title}
        aria-label={`Finding: ${title}`}
        onClick={() => onChange({ chosen: event.seq })}
      >
        ▲
      </button>
    );
  });
}
