import type { RunSpans, SpanOptions } from "./run-spans.ts";

/** Where every copy of OpenTelemetry's API, of whatever version 1, finds what is registered. */
const registry = Symbol.for("opentelemetry.js.api.1");

/** Whether somebody registered a tracer. Looking is all that costs: the API is only loaded where there is somebody to tell. */
export function isTraced(): boolean {
  const registered = (globalThis as { readonly [registry]?: { readonly trace?: unknown } })[registry];
  return registered?.trace !== undefined;
}

/** The spans of a run; undefined where none are wanted of it. */
export async function openRunSpans(options: SpanOptions): Promise<RunSpans | undefined> {
  const { createRunSpans } = await import("./run-spans.ts");
  return createRunSpans(options);
}
