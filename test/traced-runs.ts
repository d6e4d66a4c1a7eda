import { context, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.ts";

/** An SDK that is registered, with what it has sent to a receiver on this machine. */
export async function registerTracer(): Promise<AsyncDisposable & { sent(): Promise<readonly ReceivedSpan[]> }> {
  const receiver = await startOtlpReceiver();
  const exporter = new OTLPTraceExporter({ url: receiver.url });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  return {
    async sent() {
      await provider.forceFlush();
      return receiver.take();
    },
    async [Symbol.asyncDispose]() {
      trace.disable();
      context.disable();
      await provider.shutdown();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
