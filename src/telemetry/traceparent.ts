import type { Link, SpanContext } from "@opentelemetry/api";

/** A span as W3C's Trace Context writes it: `00-<trace>-<span>-<flags>`. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

const attributes = { "baton.link": "former_run" };

/** A link to the root of a run as it was written so; none where it was not. */
export function linkTo(traceparent: string): Link[] {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }, attributes }];
}
