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
  readonly attributes: Attributes;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly links: readonly Linked[];
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  /** Who made it. */
  readonly scope: { readonly name: string; readonly version?: string; readonly schemaUrl?: string };
}

type Attributes = Readonly<Record<string, unknown>>;

interface Linked {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

type OtlpValue = Readonly<Record<string, unknown>> & {
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
};
type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[];
type OtlpSpan = Omit<ReceivedSpan, "attributes" | "startMs" | "endMs" | "links" | "events" | "scope"> & {
  readonly attributes: OtlpAttributes;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly (Omit<Linked, "attributes"> & { readonly attributes?: OtlpAttributes })[];
  readonly events?: readonly { readonly name: string; readonly attributes?: OtlpAttributes }[];
};
interface OtlpScope {
  readonly scope: { readonly name: string; readonly version?: string };
  readonly schemaUrl?: string;
  readonly spans: OtlpSpan[];
}

/** What OTLP over HTTP with JSON is sent to, on this machine. */
export async function startOtlpReceiver(): Promise<
  AsyncDisposable & { readonly url: string; take(): readonly ReceivedSpan[] }
> {
  const received: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body: { readonly resourceSpans: readonly { readonly scopeSpans: readonly OtlpScope[] }[] } = JSON.parse(
      await text(request),
    );
    for (const { scopeSpans } of body.resourceSpans) received.push(...scopeSpans.flatMap(receivedSpans));
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

function receivedSpans({ scope: { name, version }, schemaUrl, spans }: OtlpScope): ReceivedSpan[] {
  const scope = { name, ...(version !== undefined && { version }), ...(schemaUrl !== undefined && { schemaUrl }) };
  return spans.map(({ attributes, startTimeUnixNano, endTimeUnixNano, links = [], events = [], ...span }) => ({
    ...span,
    scope,
    startMs: Number(BigInt(startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(endTimeUnixNano) / 1_000_000n),
    attributes: valuesOf(attributes),
    links: links.map((link) => ({ ...link, attributes: valuesOf(link.attributes) })),
    events: events.map((event) => ({ name: event.name, attributes: valuesOf(event.attributes) })),
  }));
}

function valuesOf(attributes: OtlpAttributes = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: OtlpValue): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(plain);
  const [kind = "", given] = Object.entries(value)[0] ?? [];
  return kind === "intValue" ? Number(given) : given;
}
