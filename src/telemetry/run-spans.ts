import { type Context, context, diag, type Link, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Agent } from "../crew.ts";
import type { BatonEvent, EventPlace } from "../events.ts";
import type { RunId } from "../ids.ts";
import { createContent } from "./content.ts";
import { type Ending, endingOf, runEndingOf } from "./ending-of.ts";
import { type Opening, openingOf, workflowOpening } from "./opening-of.ts";
import { linkTo, traceparentOf } from "./traceparent.ts";

/** What the spans of a run are made with. */
export interface SpanOptions {
  readonly runId: RunId;
  /** The conversation that the run goes on with, where there is one. */
  readonly conversation: string | undefined;
  readonly crew: string;
  /** What happened before: no span is made of it, but what was under way goes on. */
  readonly history: readonly BatonEvent[];
  /** When the run begins, or is taken up again. */
  readonly now: number;
  readonly agentOf: (place: EventPlace) => Agent | undefined;
  /** Whether prompts, answers, arguments and results are told. */
  readonly capturesContent: boolean;
  /** Takes secrets out of what does not come from events. */
  readonly redact: (text: string) => string;
}

/** The spans of a run, made from its events. */
export interface RunSpans {
  /** The run's own span, to be kept with the run: what follows in another process is linked to it. */
  readonly traceparent: string;
  tell(event: BatonEvent): void;
  /** Ends what is still open, where the run broke off. */
  close(now: number): void;
}

/** A part of the run that has begun and not ended. */
interface OpenPart {
  readonly span: Span;
  readonly context: Context;
}

/** Begins the run's span, under the caller's where there is one; undefined where no spans are wanted of this run. */
export function createRunSpans(options: SpanOptions): RunSpans | undefined {
  const { runId, conversation = runId, crew, history, now } = options;
  const tracer = trace.getTracer("baton-agents");
  const content = createContent(options);
  const open = new Map<string, OpenPart>();
  const begin = (path: string, opening: Opening, ts: number, links: Link[] = []): Span => {
    const { name, kind, attributes } = opening;
    const parent = enclosing(path, open)?.context ?? context.active();
    const all = { ...attributes, "gen_ai.conversation.id": conversation, "baton.run.id": runId };
    const span = tracer.startSpan(name, { kind, attributes: all, links, startTime: new Date(ts) }, parent);
    open.set(path, { span, context: trace.setSpan(parent, span) });
    return span;
  };
  const root = begin("", workflowOpening(crew), now, linksOf(history));
  if (!root.isRecording()) {
    root.end();
    return undefined;
  }
  for (const [path, opening] of underWay(history, options))
    begin(path, opening, now).setAttribute("baton.resumed", true);
  for (const event of history) content.see(event);

  const waiting = new Map<string, { readonly opening: Opening; readonly ts: number }>();
  /** A call that waits first is begun when it has ended: it may have been given up before its time came. */
  const beginLate = (path: string, until: number) => {
    const late = waiting.get(path);
    if (late === undefined) return;
    waiting.delete(path);
    begin(path, late.opening, Math.min(late.ts + late.opening.waitMs, until));
  };
  /** The innermost first: a span ends before the one around it. */
  const endAll = (ending: Ending, ts: number) => {
    for (const path of [...waiting.keys()]) beginLate(path, ts);
    for (const [path, { span }] of [...open].reverse()) {
      if (path === "") end(span, ending, ts);
      else span.setAttributes({ "baton.status": ending.status }).end(new Date(ts));
    }
    open.clear();
  };
  const tell = (event: BatonEvent): void => {
    const { path, ts } = event;
    const told = content.see(event);
    const opening = openingOf(event, options);
    if (opening !== undefined && opening.waitMs > 0)
      waiting.set(path, { opening: { ...opening, attributes: { ...opening.attributes, ...told } }, ts });
    else if (opening !== undefined && !open.has(path)) begin(path, opening, ts);
    const ending = endingOf(event);
    if (ending !== undefined) beginLate(path, ts);
    const part = open.get(path);
    part?.span.setAttributes(told);
    const runEnding = runEndingOf(event);
    if (runEnding !== undefined) endAll(runEnding, ts);
    else if (ending !== undefined && part !== undefined) {
      open.delete(path);
      end(part.span, ending, ts);
    }
  };
  return {
    traceparent: traceparentOf(root.spanContext()),
    tell(event) {
      try {
        tell(event);
      } catch (error) {
        // A run does not fail for those who watch it; OpenTelemetry has a log of its own for what goes wrong in it.
        diag.error("baton: a span could not be made", error);
      }
    },
    close(at) {
      const message = "the run broke off";
      endAll({ status: "failed", attributes: {}, problem: { type: "broken_off", message } }, at);
    },
  };
}

function linksOf([begun]: readonly BatonEvent[]): Link[] {
  return begun?.type === "run.started" && begun.data.traceparent !== undefined ? linkTo(begun.data.traceparent) : [];
}

/** What has begun and not ended in the past of a run, the outermost first. */
function underWay(history: readonly BatonEvent[], options: SpanOptions): Map<string, Opening> {
  const begun = new Map<string, Opening>();
  for (const event of history) {
    const opening = openingOf(event, options);
    if (opening !== undefined) begun.set(event.path, opening);
    else if (endingOf(event) !== undefined) begun.delete(event.path);
  }
  begun.delete("");
  return new Map([...begun].sort(([a], [b]) => a.length - b.length));
}

/** The part at the nearest place above that is open. */
function enclosing(path: string, open: ReadonlyMap<string, OpenPart>): OpenPart | undefined {
  for (let above = path; above !== ""; ) {
    above = above.slice(0, Math.max(0, above.lastIndexOf("/")));
    const part = open.get(above);
    if (part !== undefined) return part;
  }
  return undefined;
}

function end(span: Span, { status, attributes, problem }: Ending, ts: number): void {
  span.setAttributes({ ...attributes, ...(status !== "completed" && { "baton.status": status }) });
  if (problem !== undefined) {
    span.setAttribute("error.type", problem.type);
    span.setStatus({ code: SpanStatusCode.ERROR, message: problem.message });
  }
  span.end(new Date(ts));
}
