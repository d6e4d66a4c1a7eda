import type { Link, SpanContext } from "@opentelemetry/api";

/** Formats a span as W3C Trace Context does: `00-<trace>-<span>-<flags>`. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

const attributes = { "baton.link": "former_run" };

/** Links to the root span of a run by its traceparent. There is no link if the text is not a traceparent. */
export function linkTo(traceparent: string): Link[] {
  const context = readTraceparent(traceparent);
  return context === undefined ? [] : [{ context, attributes }];
}

/** The span that a traceparent names; undefined if the text is not a traceparent. */
export function readTraceparent(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
