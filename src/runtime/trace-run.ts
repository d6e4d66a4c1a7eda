import type { Model, ModelRequest } from "../models/model.ts";
import type { RunLog } from "../run-storage/run-log.ts";
import { isTraced, openRunSpans } from "../telemetry/open-run-spans.ts";
import { findAgentCrew } from "../views/find-agent-crew.ts";
import { type BatonEvent, type EventPlace, nameSpeaker } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import type { RunPlan } from "./run-plan.ts";

/** The OpenTelemetry spans of a run. */
export interface RunTrace {
  readonly traceparent: string;
  /** Takes in an event as soon as it is durable. */
  tell(event: BatonEvent): void;
  /** Takes in a request before its model does. */
  sent(request: ModelRequest, model: Model): void;
  close(now: number): void;
}

/** The variable with which all instrumentation of generative AI is told to record what was said. */
const CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const capturing: ReadonlySet<string> = new Set(["true", "1", "span_only", "span_and_event"]);

/** Opens the spans of a run; undefined where nobody registered a tracer, and costs nothing then. */
export function traceRun(
  runId: RunId,
  log: RunLog,
  plan: RunPlan,
  parent: string | undefined,
): Promise<RunTrace | undefined> | undefined {
  return isTraced() ? openTrace(runId, log, plan, parent) : undefined;
}

async function openTrace(
  runId: RunId,
  log: RunLog,
  plan: RunPlan,
  parent: string | undefined,
): Promise<RunTrace | undefined> {
  const { runtime, start, added = [] } = plan;
  const { crew, redactor, variables, clock } = runtime;
  const history = [...log.events, ...added];
  const spans = await openRunSpans({
    runId,
    conversation: start.session?.id,
    crew: crew.name,
    history,
    parent,
    now: clock.now(),
    agentOf: (place: EventPlace) => findAgentCrew(nameSpeaker(place), crew).agents.get(place.agent ?? ""),
    capturesContent: runtime.captureContent ?? capturing.has(variables[CAPTURE]?.toLowerCase() ?? ""),
    redactValue: (value: unknown) => (crew.settings.redact ? redactor.redactValue(value) : value),
  });
  if (spans === undefined) return undefined;
  return {
    traceparent: spans.traceparent,
    tell(event) {
      // Deltas are part of no span, and what happened before this start was told before.
      if (event.seq !== undefined && event.seq >= history.length) spans.tell(event);
    },
    sent({ path, agent, system, messages, tools, sampling, json }, { server }) {
      spans.sent({ path, agent, server, system, messages, tools, sampling, json });
    },
    close: (now) => spans.close(now),
  };
}
