import type { RunSpans, SpanOptions } from "./run-spans.ts";

/** Every copy of OpenTelemetry's API of major version 1 finds registrations under this symbol. */
const registry = Symbol.for("opentelemetry.js.api.1");

/** Whether a tracer is registered. Without one, this look is the only cost: the API is not even loaded. */
export function isTraced(): boolean {
  const registered = (globalThis as { readonly [registry]?: { readonly trace?: unknown } })[registry];
  return registered?.trace !== undefined;
}

/** Opens the spans of a run; undefined if the run is not sampled. */
export async function openRunSpans(options: SpanOptions): Promise<RunSpans | undefined> {
  const { createRunSpans } = await import("./run-spans.ts");
  return createRunSpans(options);
}
