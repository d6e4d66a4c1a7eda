import { ProxyTracerProvider, trace } from "@opentelemetry/api";

/** Has the registered provider send what it holds. How is no part of the API, but its SDKs name it so. */
export async function flushSpans(withinMs: number): Promise<void> {
  const registered = trace.getTracerProvider();
  const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered;
  if (!("forceFlush" in provider) || typeof provider.forceFlush !== "function") return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  // What cannot be sent is told by the provider, in the API's own log; the command is not at fault.
  const sent = Promise.resolve(provider.forceFlush()).catch(() => {});
  await Promise.race([sent, late]);
  clearTimeout(timer);
}
