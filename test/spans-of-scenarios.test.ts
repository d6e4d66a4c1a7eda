import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { trace } from "@opentelemetry/api";
import { type ReadableSpan, type SpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findScenarios } from "../src/scenario/play-scenarios.ts";
import { createRunSpans } from "../src/telemetry/run-spans.ts";
import type { BatonEvent } from "../src/vocabulary/events.ts";
import { playOnce } from "./play-once.ts";

const folder = fileURLToPath(new URL("./scenarios", import.meta.url));

let begun = 0;
let ended: ReadableSpan[] = [];
const counter: SpanProcessor = {
  onStart: () => void begun++,
  onEnd: (span) => void ended.push(span),
  forceFlush: async () => {},
  shutdown: async () => {},
};
beforeAll(() => void trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [counter] })));
afterAll(() => trace.disable());

it.each(findScenarios(folder).map((file) => relative(folder, file)))(
  "every span of %s ends, within the one around it, from wherever the run is taken up",
  async (name) => {
    const events = await eventsOf(name);
    const isTakenUpAnywhere = !name.includes("/");
    // A run is traced from its start or from where it was taken up, to its end or its next pause.
    for (let from = 0; from < events.length; from++) {
      const next = events.findIndex(({ type }, index) => index >= from && type === "run.paused");
      const told = events.slice(from, next < 0 ? events.length : next + 1);
      const before = events[from - 1]?.type;
      if (before === "run.paused" || !(from === 0 || before === "run.resumed" || isTakenUpAnywhere)) continue;
      const spans = spansOf(events.slice(0, from), told);
      const calls = told.filter(({ type }) => type === "model.called").length;
      expect(spans.filter((span) => span.name.startsWith("chat")).length).toBeGreaterThanOrEqual(calls);
      expect(problemsOf(spans), `taken up at event ${from}`).toEqual([]);
    }
  },
);

function spansOf(history: readonly BatonEvent[], told: readonly BatonEvent[]): readonly ReadableSpan[] {
  const [first] = told;
  if (first === undefined) throw new Error("nothing is told");
  begun = 0;
  ended = [];
  const about = {
    runId: first.runId,
    conversation: undefined,
    crew: "crew",
    history,
    now: first.ts,
    redactValue: (value: unknown) => value,
  };
  const spans = createRunSpans({ ...about, agentOf: () => undefined, capturesContent: true });
  for (const event of told) spans?.tell(event);
  expect(ended).toHaveLength(begun);
  spans?.close(first.ts);
  expect(ended).toHaveLength(begun);
  return ended;
}

function problemsOf(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  return spans.flatMap((span) => {
    for (const { context, attributes } of span.links)
      if (attributes?.["baton.link"] === "handoff" && !byId.has(context.spanId))
        return [`${span.name} links to nothing`];
    if (ms(span.endTime) < ms(span.startTime)) return [`${span.name} ends before it begins`];
    if (span.parentSpanContext === undefined)
      return span.name === "invoke_workflow crew" ? [] : [`${span.name} is alone`];
    const parent = byId.get(span.parentSpanContext.spanId);
    if (parent === undefined) return [`the parent of ${span.name} never ended`];
    const isWithin = ms(parent.startTime) <= ms(span.startTime) && ms(span.endTime) <= ms(parent.endTime);
    return isWithin ? [] : [`${span.name} is not within ${parent.name}`];
  });
}

function ms([seconds, nanoseconds]: ReadableSpan["startTime"]): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

/** The events of a scenario; none where it is about what cannot be loaded or run. */
async function eventsOf(name: string): Promise<readonly BatonEvent[]> {
  return (await playOnce(join(folder, name)))?.events ?? [];
}
