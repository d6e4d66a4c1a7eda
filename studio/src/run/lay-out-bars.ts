import type { Span, SpanKind } from "./collect-lanes.ts";
import type { TimeScale } from "./time-scale.ts";

/** A drawn bar. Spans that are too short to see are merged into one bar with their number. */
export interface Bar {
  readonly kind: SpanKind;
  readonly name: string;
  readonly seq: number;
  readonly left: number;
  readonly width: number;
  readonly isFailed: boolean;
  readonly isOpen: boolean;
  readonly count: number;
}

const SHORTEST_PX = 3;

/** Places the spans of one lane within a width in pixels. `range` is the part of the scale that is shown, from 0 to 1. */
export function layOutBars(
  spans: readonly Span[],
  scale: TimeScale,
  {
    width,
    range,
    until,
  }: { readonly width: number; readonly range: readonly [number, number]; readonly until: number },
): Bar[] {
  const [start, end] = range;
  const toPx = (time: number) => ((scale.toX(time) - start) / (end - start)) * width;
  const bars: Bar[] = [];
  const last = new Map<SpanKind, number>();
  for (const span of spans) {
    if (span.from > until) continue;
    const left = toPx(span.from);
    const right = toPx(Math.min(span.to ?? until, until));
    if (right < 0 || left > width) continue;
    const index = last.get(span.kind);
    const before = index === undefined ? undefined : bars[index];
    const isTiny = right - left < SHORTEST_PX;
    if (before !== undefined && index !== undefined && isTiny && left - before.left < SHORTEST_PX) {
      const merged = { ...before, count: before.count + 1, isFailed: before.isFailed || span.isFailed };
      bars[index] = { ...merged, width: Math.max(SHORTEST_PX, right - before.left) };
      continue;
    }
    last.set(span.kind, bars.length);
    const { kind, name, seq, isFailed } = span;
    const isOpen = span.to === undefined || span.to > until;
    bars.push({ kind, name, seq, left, width: Math.max(SHORTEST_PX, right - left), isFailed, isOpen, count: 1 });
  }
  return bars;
}
