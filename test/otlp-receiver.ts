import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A span as it arrived, with its attributes as plain values. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

type OtlpValue = Readonly<Record<string, unknown>> & {
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
};
type OtlpSpan = Omit<ReceivedSpan, "attributes" | "startMs" | "endMs" | "links"> & {
  readonly attributes: readonly { readonly key: string; readonly value: OtlpValue }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: ReceivedSpan["links"];
};

/** What OTLP over HTTP with JSON is sent to, on this machine. */
export async function startOtlpReceiver(): Promise<
  AsyncDisposable & { readonly url: string; take(): readonly ReceivedSpan[] }
> {
  const received: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body: {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: OtlpSpan[] }[] }[];
    } = JSON.parse(await text(request));
    for (const { scopeSpans } of body.resourceSpans)
      for (const { spans } of scopeSpans) received.push(...spans.map(receivedSpan));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    take: () => received.splice(0),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function receivedSpan({ attributes, startTimeUnixNano, endTimeUnixNano, links = [], ...span }: OtlpSpan): ReceivedSpan {
  return {
    ...span,
    startMs: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(endTimeUnixNano) / 1_000_000n),
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
    links,
  };
}

function plain(value: OtlpValue): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plain);
  const [kind = "", given] = Object.entries(value)[0] ?? [];
  return kind === "intValue" ? Number(given) : given;
}
