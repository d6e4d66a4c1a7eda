import type { Model, ModelRequest } from "../models/model.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../run/clock.ts";
import { isTraced, openRunSpans } from "../telemetry/open-run-spans.ts";
import { crewOf } from "../views/crew-of.ts";
import type { Crew } from "../vocabulary/crew.ts";
import type { BatonEvent, EventPlace } from "../vocabulary/events.ts";
import { speakerOf } from "../vocabulary/events.ts";
import type { RunCrew } from "./run-crew.ts";

interface Tracing {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly captureContent: boolean | undefined;
}

/** The variable by which all instrumentation of generative AI is told to pass on what was said. */
const CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const asking: ReadonlySet<string> = new Set(["true", "1", "span_only", "span_and_event"]);

/** What runs a crew, watched by the spans of each run where somebody registered a tracer with OpenTelemetry. */
export function traced(crew: Crew, tracing: Tracing, runIt: RunCrew): RunCrew {
  const { clock, redactor, variables, captureContent } = tracing;
  const capturesContent = captureContent ?? asking.has(variables[CAPTURE]?.toLowerCase() ?? "");
  const agentOf = (place: EventPlace) => crewOf(speakerOf(place), crew).agents.get(place.agent ?? "");
  const redactValue = (value: unknown) => (crew.settings.redact ? redactor.redactValue(value) : value);
  const runTraced: RunCrew = async (going, options) => {
    const { runId, start, kept, added = [] } = going;
    const history = [...kept.events, ...added];
    const about = { runId, conversation: start.session?.id, crew: crew.name, history, now: clock.now() };
    const spans = await openRunSpans({ ...about, agentOf, capturesContent, redactValue });
    if (spans === undefined) return runIt(going, options);
    const onEvent = (event: BatonEvent) => {
      // What is not kept is no part of any span; what was there before has been told.
      if (event.seq !== undefined && event.seq >= history.length) spans.tell(event);
      return options.onEvent?.(event);
    };
    const onRequest = (request: ModelRequest, { server }: Model) => {
      const { path, agent, system, messages, tools, sampling, json } = request;
      spans.sent({ path, agent, server, system, messages, tools, sampling, json });
    };
    const begun = history.length === 0 ? { ...start, traceparent: spans.traceparent } : start;
    try {
      return await runIt({ ...going, start: begun }, { ...options, onEvent, onRequest });
    } finally {
      spans.close(clock.now());
    }
  };
  return (going, options) => (isTraced() ? runTraced : runIt)(going, options);
}
