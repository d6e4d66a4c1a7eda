import {
  type Attributes,
  type Context,
  context,
  diag,
  type Link,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Agent } from "../vocabulary/crew.ts";
import type { BatonEvent, EventPlace } from "../vocabulary/events.ts";
import type { RunId } from "../vocabulary/ids.ts";
import { version } from "../vocabulary/version.ts";
import { listContent } from "./content.ts";
import { type Ending, findEnding, findRunEnding } from "./find-ending.ts";
import { findOpening, type Opening, openWorkflow } from "./find-opening.ts";
import { findSpanEvent } from "./find-span-event.ts";
import { HandOvers } from "./hand-overs.ts";
import { listRequestAttributes, listRequestContent, type SentRequest } from "./request-attributes.ts";
import { formatTraceparent, linkTo, readTraceparent } from "./traceparent.ts";

/** The last release of the semantic conventions that contains the names for generative AI. */
const schemaUrl = "https://opentelemetry.io/schemas/1.45.0";

export interface SpanOptions {
  /** The span that the run belongs to, as W3C Trace Context. Without it, the active span is. */
  readonly parent?: string | undefined;
  readonly runId: RunId;
  /** The conversation that the run continues, if there is one. */
  readonly conversation: string | undefined;
  readonly crew: string;
  /** The events before this process took the run. They make no spans, but spans of unfinished parts continue. */
  readonly history: readonly BatonEvent[];
  /** When the run begins or continues. */
  readonly now: number;
  readonly agentOf: (place: EventPlace) => Agent | undefined;
  /** Whether spans contain prompts, answers, arguments and results. */
  readonly capturesContent: boolean;
  /** Redacts texts that do not come from events. */
  readonly redactValue: (value: unknown) => unknown;
}

export interface RunSpans {
  /** The run's own span. It is stored with the run, so that another process can link to it. */
  readonly traceparent: string;
  tell(event: BatonEvent): void;
  /** Adds a request as it is sent. Its event may arrive before or after it. */
  sent(request: SentRequest): void;
  /** Ends all open spans of an interrupted run. */
  close(now: number): void;
}

/** A part of the run that has begun and not ended. */
interface OpenPart {
  readonly span: Span;
  readonly context: Context;
  /** How an agent that has answered ends. Its span stays open for the events that follow the answer. */
  answered: { readonly ending: Ending; ts: number } | undefined;
}

/** Begins the run's span, as a child of the caller's span if there is one. The result is undefined if the run is not sampled. */
export function createRunSpans(options: SpanOptions): RunSpans | undefined {
  const tree = new SpanTree(options);
  if (!tree.root.isRecording()) {
    tree.root.end();
    return undefined;
  }
  for (const [path, opening] of findUnfinished(options)) tree.takeUp(path, opening);
  return {
    traceparent: formatTraceparent(tree.root.spanContext()),
    tell: (event) => logFailure(() => tree.tell(event)),
    sent: (request) => logFailure(() => tree.describe(request)),
    close(at) {
      const message = "the run was interrupted";
      tree.endAll({ status: "failed", attributes: {}, problem: { type: "broken_off", message } }, at);
    },
  };
}

/** The context within a span of another process, or the active one. */
function enterSpan(traceparent: string | undefined): Context {
  const span = traceparent === undefined ? undefined : readTraceparent(traceparent);
  return span === undefined ? context.active() : trace.setSpanContext(context.active(), span);
}

/** A tracing failure must not fail the run. OpenTelemetry has its own log for such failures. */
function logFailure(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    diag.error("baton: a span could not be made", error);
  }
}

/** The spans of a run that have begun and not ended. */
class SpanTree {
  readonly root: Span;
  readonly #options: SpanOptions;
  readonly #tracer: Tracer;
  readonly #open = new Map<string, OpenPart>();
  /** Calls that wait before they are made. */
  readonly #waiting = new Map<string, { readonly opening: Opening; readonly ts: number }>();
  /** Attributes of requests whose spans have not begun. */
  readonly #described = new Map<string, Attributes>();
  readonly #handOvers = new HandOvers();

  constructor(options: SpanOptions) {
    this.#options = options;
    this.#tracer = trace.getTracerProvider().getTracer("baton-agents", version, { schemaUrl });
    this.root = this.#begin("", openWorkflow(options.crew), options.now, linkToFormerRoot(options.history));
  }

  /** Opens a span for a part that was unfinished in the earlier process. */
  takeUp(path: string, opening: Opening): void {
    const span = this.#begin(path, opening, this.#options.now);
    span.setAttribute("baton.resumed", true);
    if (!isCall(opening)) this.#handOvers.began(path, span.spanContext());
  }

  tell(event: BatonEvent): void {
    const { path, ts } = event;
    const opening = findOpening(event, this.#options);
    this.#endAnswered(event, opening !== undefined);
    this.#handOvers.see(event);
    if (opening !== undefined && opening.waitMs > 0) this.#waiting.set(path, { opening, ts });
    else if (opening !== undefined && !this.#open.has(path)) this.#beginNext(event, opening);
    const ending = findEnding(event);
    if (ending !== undefined) this.#beginLate(path, ts);
    this.#note(event);
    const runEnding = findRunEnding(event);
    if (runEnding !== undefined) this.endAll(runEnding, ts);
    else if (ending !== undefined) this.#close(event, ending);
  }

  /** Adds the attributes of a request. Its event may arrive later, since events are told only when they are durable. */
  describe(request: SentRequest): void {
    const { capturesContent, redactValue } = this.#options;
    const content = capturesContent ? listRequestContent(request, redactValue) : {};
    const attributes = { ...listRequestAttributes(request), ...content };
    const part = this.#open.get(request.path);
    if (part === undefined) this.#described.set(request.path, attributes);
    else part.span.setAttributes(attributes);
  }

  /** The innermost spans end first, so that each span ends before the one around it. */
  endAll(ending: Ending, ts: number): void {
    for (const path of [...this.#waiting.keys()]) this.#beginLate(path, ts);
    for (const [path, { span, answered }] of [...this.#open].reverse()) {
      if (path === "") end(span, ending, ts);
      else if (answered !== undefined) end(span, answered.ending, answered.ts);
      else span.setAttributes({ "baton.status": ending.status }).end(new Date(ts));
    }
    this.#open.clear();
  }

  #beginNext(event: BatonEvent, opening: Opening): void {
    const { path, ts } = event;
    if (isCall(opening)) {
      this.#begin(path, opening, ts);
      return;
    }
    const span = this.#begin(path, opening, ts, this.#handOvers.linksOf(path, event.type));
    this.#handOvers.began(path, span.spanContext());
  }

  #begin(path: string, opening: Opening, ts: number, links: Link[] = []): Span {
    const { runId, conversation = runId } = this.#options;
    const { name, kind } = opening;
    const parent = findEnclosing(path, this.#open)?.context ?? enterSpan(this.#options.parent);
    const ids = { "gen_ai.conversation.id": conversation, "baton.run.id": runId };
    const attributes = { ...opening.attributes, ...ids, ...this.#described.get(path) };
    this.#described.delete(path);
    const span = this.#tracer.startSpan(name, { kind, attributes, links, startTime: new Date(ts) }, parent);
    this.#open.set(path, { span, context: trace.setSpan(parent, span), answered: undefined });
    return span;
  }

  /** The span of a delayed call begins only when the call ends: the call may be given up before its time comes. */
  #beginLate(path: string, until: number): void {
    const late = this.#waiting.get(path);
    if (late === undefined) return;
    this.#waiting.delete(path);
    this.#begin(path, late.opening, Math.min(late.ts + late.opening.waitMs, until));
  }

  /** Adds an event's content and span event to the span at its place, or to the nearest one above. */
  #note(event: BatonEvent): void {
    const { capturesContent } = this.#options;
    const part = this.#open.get(event.path);
    if (capturesContent) part?.span.setAttributes(listContent(event, this.#options));
    const noted = findSpanEvent(event, capturesContent);
    if (noted === undefined) return;
    const { span } = part ?? findEnclosing(event.path, this.#open) ?? { span: this.root };
    span.addEvent(noted.name, noted.attributes, new Date(event.ts));
    if (part?.answered !== undefined) part.answered.ts = event.ts;
  }

  #close({ type, path, ts }: BatonEvent, ending: Ending): void {
    const part = this.#open.get(path);
    if (part === undefined) return;
    // The signals and the handoff that follow an answer are part of the span.
    if (type === "agent.completed") {
      part.answered = { ending, ts };
      return;
    }
    this.#open.delete(path);
    end(part.span, ending, ts);
  }

  /**
   * Ends the spans of agents that have answered, as soon as an event happens elsewhere or something new begins at their place.
   */
  #endAnswered({ path }: BatonEvent, isOpening: boolean): void {
    for (const [place, { span, answered }] of this.#open) {
      if (answered === undefined || (isWithin(path, place) && !isOpening)) continue;
      this.#open.delete(place);
      end(span, answered.ending, answered.ts);
    }
  }
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** Whether the span is a call of a model or a tool, and not the work of an agent or crew. */
function isCall({ name }: Opening): boolean {
  return !name.startsWith("invoke_");
}

function linkToFormerRoot([begun]: readonly BatonEvent[]): Link[] {
  return begun?.type === "run.started" && begun.data.traceparent !== undefined ? linkTo(begun.data.traceparent) : [];
}

/** Finds what had begun and not ended in the past of a run, outermost first. */
function findUnfinished(options: SpanOptions): Map<string, Opening> {
  const begun = new Map<string, Opening>();
  for (const event of options.history) {
    const opening = findOpening(event, options);
    if (opening !== undefined) begun.set(event.path, opening);
    else if (findEnding(event) !== undefined) begun.delete(event.path);
  }
  begun.delete("");
  return new Map([...begun].sort(([a], [b]) => a.length - b.length));
}

/** Finds the nearest open part above a place. */
function findEnclosing(path: string, open: ReadonlyMap<string, OpenPart>): OpenPart | undefined {
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
