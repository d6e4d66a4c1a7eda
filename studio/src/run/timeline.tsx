import { type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatMs } from "../parts/format.ts";
import { collectLanes, type Lane, type Lanes } from "./collect-lanes.ts";
import { type Bar, layOutBars } from "./lay-out-bars.ts";
import type { RunData } from "./run-data.ts";
import type { RunView } from "./run-state.ts";
import { buildTimeScale, type TimeScale } from "./time-scale.ts";
import { TimelineOverlay } from "./timeline-overlay.tsx";

interface Props {
  readonly data: RunData;
  readonly view: RunView;
  /** When the newest shown event happened. */
  readonly until: number;
  readonly onChange: (change: Partial<RunView>) => void;
}

/** A lane per agent, with its model calls, tools and waits. Dragging along the axis zooms in. */
export function Timeline({ data, view, until, onChange }: Props) {
  const { lanes, scale } = useScale(data, view.trueTime);
  const { ref, width } = useWidth();
  const track = Math.max(80, width - (width < 640 ? 84 : 148));
  const place = { width: track, range: view.range, until };
  const { drag, ...handlers } = useDrag(view, onChange);
  return (
    <div className="timeline" ref={ref}>
      <Axis lanes={lanes} scale={scale} range={view.range} />
      <div className="drag" {...handlers} title="Drag to zoom in" />
      <div className="lanes">
        {lanes.lanes.map((lane) => (
          <LaneRow
            key={lane.name}
            lane={lane}
            bars={layOutBars(lane.spans, scale, place)}
            chosen={view.chosen}
            onChoose={(chosen) => onChange({ chosen })}
          />
        ))}
      </div>
      <TimelineOverlay
        data={data}
        lanes={lanes}
        scale={scale}
        view={view}
        until={until}
        drag={drag}
        onChange={onChange}
      />
    </div>
  );
}

function useScale({ events }: RunData, trueTime: boolean): { lanes: Lanes; scale: TimeScale } {
  return useMemo(() => {
    const lanes = collectLanes(events);
    const { from, to } = lanes;
    const work = lanes.lanes.flatMap(({ spans }) =>
      spans.map((span) => ({ from: span.from, to: span.to ?? span.from })),
    );
    const waits = lanes.pauses.map((pause) => ({ from: pause.from, to: pause.to ?? to }));
    // A session stays open while its run is paused: only what is not waiting is work.
    const busy = work.flatMap((period) => subtract(period, waits));
    return { lanes, scale: buildTimeScale(busy, { from, to }, !trueTime) };
  }, [events, trueTime]);
}

interface Period {
  readonly from: number;
  readonly to: number;
}

function subtract(period: Period, holes: readonly Period[]): Period[] {
  return holes.reduce<Period[]>(
    (parts, hole) =>
      parts.flatMap((part) => {
        if (hole.to <= part.from || hole.from >= part.to) return [part];
        return [
          { from: part.from, to: hole.from },
          { from: hole.to, to: part.to },
        ].filter(({ from, to }) => to > from);
      }),
    [period],
  );
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Where the pointer is on the whole scale, from 0 to 1. */
function findX(event: PointerEvent<HTMLElement>, [from, to]: RunView["range"]): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  return from + Math.min(1, Math.max(0, (event.clientX - left) / width)) * (to - from);
}

function useDrag(view: RunView, onChange: Props["onChange"]) {
  const [drag, setDrag] = useState<readonly [number, number] | undefined>();
  return {
    drag,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      const x = findX(event, view.range);
      setDrag([x, x]);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag !== undefined) setDrag([drag[0], findX(event, view.range)]);
    },
    onPointerUp: () => {
      if (drag === undefined) return;
      setDrag(undefined);
      const [from, to] = drag[0] < drag[1] ? drag : [drag[1], drag[0]];
      if (to - from > 0.005) onChange({ range: [from, to] });
    },
  };
}

const TICKS = [0, 0.2, 0.4, 0.6, 0.8];

function Axis({
  lanes,
  scale,
  range: [from, to],
}: {
  readonly lanes: Lanes;
  readonly scale: TimeScale;
  readonly range: RunView["range"];
}) {
  return (
    <div className="axis" aria-hidden="true">
      <span />
      <div className="ticks">
        {TICKS.map((tick) => (
          <span key={tick} style={{ left: `${tick * 100}%` }}>
            {formatMs(scale.toTime(from + tick * (to - from)) - lanes.from)}
          </span>
        ))}
      </div>
    </div>
  );
}

function LaneRow({
  lane,
  bars,
  chosen,
  onChoose,
}: {
  readonly lane: Lane;
  readonly bars: readonly Bar[];
  readonly chosen: number | undefined;
  readonly onChoose: (seq: number) => void;
}) {
  return (
    <div className="lane">
      <span className="label cut" title={lane.name}>
        {lane.name}
      </span>
      <div className="track">
        {bars.map((bar) => (
          <button
            key={`${bar.kind} ${bar.seq}`}
            type="button"
            tabIndex={-1}
            className={`bar ${bar.kind}${bar.isFailed ? " failed" : ""}${bar.isOpen ? " open" : ""}`}
            style={{ left: bar.left, width: bar.width }}
            aria-pressed={bar.seq === chosen}
            aria-label={describeBar(bar)}
            title={describeBar(bar)}
            onClick={() => onChoose(bar.seq)}
          />
        ))}
      </div>
    </div>
  );
}

function describeBar({ kind, name, count, isFailed, isOpen }: Bar): string {
  const what = count > 1 ? `${count} × ${kind}` : kind === "work" ? name : `${kind}: ${name}`;
  return `${what}${isFailed ? ", failed" : ""}${isOpen ? ", still going on" : ""}`;
}
