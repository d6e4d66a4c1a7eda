import { ProxyTracerProvider, trace } from "@opentelemetry/api";

/** Asks the registered provider to send its spans. The API has no method for that, but its SDKs all name it `forceFlush`. */
export async function flushSpans(withinMs: number): Promise<void> {
  const registered = trace.getTracerProvider();
  const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered;
  if (!("forceFlush" in provider) || typeof provider.forceFlush !== "function") return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  // The provider reports failures in the API's own log. They are not failures of the command.
  const sent = Promise.resolve(provider.forceFlush()).catch(() => {});
  await Promise.race([sent, late]);
  clearTimeout(timer);
}
